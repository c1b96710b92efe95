import { Hono } from 'hono';
import * as z from 'zod/mini';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { once } from '../../once.ts';
import { archiveCommissionRule } from '../../programs/archive-commission-rule.ts';
import { changeCommissionRule } from '../../programs/change-commission-rule.ts';
import type { CommissionRule } from '../../programs/commission-rule.ts';
import { createCommissionRule } from '../../programs/create-commission-rule.ts';
import { listCommissionRules } from '../../programs/list-commission-rules.ts';
import type { AppEnv } from '../app-env.ts';
import { Id, Identifier } from '../schema.ts';
import { Currency, Percent, percentOf, Strict, Whole } from './fields.ts';
import { json, metaOf, PageQuery, pathId, query, requireSession } from './session.ts';

const terms = once(() => ({
	type: z.optional(z.enum(['percent', 'flat'], 'must be "percent" or "flat"')),
	percent: z.optional(Percent()),
	amount_cents: z.optional(Whole(0, MAX_AMOUNT_CENTS)),
	currency: z.optional(Currency()),
	recurring_months: z.nullish(Whole(0, 1_200)),
	hold_days: z.optional(Whole(0, 3_650)),
}));

/** The terms of a rule; which of them a type needs is decided with what the rule says already. */
export const TermsRequest = once(() => Strict(terms()));

export const RuleRequest = once(() => Strict({ ...terms(), product_id: z.nullish(Identifier()), partner_id: z.nullish(Id()) }));

const SCOPE = 'cannot change: archive this rule and make another';
export const RuleChange = once(() =>
	Strict({ ...terms(), product_id: z.optional(z.never(SCOPE)), partner_id: z.optional(z.never(SCOPE)) }),
);

/** Under /programs/:id/commission-rules. */
export const commissionRules = new Hono<AppEnv>();

commissionRules.get('/', async (c) => {
	const actor = await requireSession(c);
	const page = await listCommissionRules(c.get('ctx'), actor, pathId(c, 'id'), query(c, PageQuery));
	return c.json({ success: true, data: page.rows.map(ruleOnWire), meta: metaOf(page) });
});

commissionRules.post('/', async (c) => {
	const actor = await requireSession(c);
	const programId = pathId(c, 'id');
	const request = await json(c, RuleRequest);
	const scope = { partnerId: request.partner_id ?? null, productId: request.product_id ?? null };
	const rule = await createCommissionRule(c.get('ctx'), actor, programId, scope, toTerms(request));
	return c.json({ success: true, data: ruleOnWire(rule) }, 201);
});

commissionRules.patch('/:ruleId', async (c) => {
	const actor = await requireSession(c);
	const [programId, ruleId] = [pathId(c, 'id'), pathId(c, 'ruleId')];
	const rule = await changeCommissionRule(c.get('ctx'), actor, programId, ruleId, toTerms(await json(c, RuleChange)));
	return c.json({ success: true, data: ruleOnWire(rule) });
});

commissionRules.delete('/:ruleId', async (c) => {
	const actor = await requireSession(c);
	await archiveCommissionRule(c.get('ctx'), actor, pathId(c, 'id'), pathId(c, 'ruleId'));
	return c.json({ success: true, data: null });
});

/** The request's terms in the words of the domain. */
export function toTerms(request: z.output<ReturnType<typeof TermsRequest>>) {
	return {
		type: request.type,
		basisPoints: request.percent,
		amountCents: request.amount_cents,
		currency: request.currency,
		recurringMonths: request.recurring_months,
		holdDays: request.hold_days,
	};
}

function ruleOnWire({ id, version, partnerId, productId, terms: inForce }: CommissionRule) {
	return {
		id,
		version,
		type: inForce.type,
		...(inForce.type === 'percent'
			? { percent: percentOf(inForce.basisPoints) }
			: { amount_cents: inForce.amountCents, currency: inForce.currency }),
		product_id: productId,
		partner_id: partnerId,
		recurring_months: inForce.recurringMonths,
		hold_days: inForce.holdDays,
	};
}
