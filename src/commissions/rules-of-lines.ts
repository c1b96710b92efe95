import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import type { LineRule } from '../domain/commissions/explanation-of-lines.ts';

const Rules = z.array(z.object({ ruleVersionId: z.number(), id: z.number(), version: z.number(), productId: z.nullable(z.string()) }));

/** Empty if one rule applied to the whole sale. */
export const rulesOfLines = sql<LineRule[]>`(
	SELECT json_group_array(json_object('ruleVersionId', v.id, 'id', v.rule_id, 'version', v.version, 'productId', r.product_id))
	FROM commission_rule_versions v JOIN commission_rules r ON r.id = v.rule_id
	WHERE v.id IN (SELECT value ->> '$[0]' FROM json_each(${affiliateSaleEvents.decisionFacts}, '$.lines'))
)`.mapWith((json: string): LineRule[] => Rules.parse(JSON.parse(json)));
