import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { workspaces } from '../db/schema/accounts.ts';
import { partners } from '../db/schema/partners.ts';

export type PartnerAccount = Awaited<ReturnType<typeof selectPartnerAccounts>>[number];

export interface OwnPartnerProgram {
	readonly id: number;
	readonly status: 'active' | 'suspended' | 'ended';
	readonly program: { readonly id: number; readonly name: string; readonly domain: string | null; readonly currency: string };
}

/** Per workspace. */
const MOST_PROGRAMS = 200;

/** Returns JSON. Includes ended memberships. */
export function programsOfPartner(partnerId: SQL): SQL<readonly OwnPartnerProgram[]> {
	return sql`(
		SELECT json_group_array(json_object('id', id, 'status', status,
			'program', json_object('id', program_id, 'name', name, 'domain', domain, 'currency', currency)) ORDER BY id)
		FROM (
			SELECT m.id, m.status, m.program_id, p.name, p.domain, p.currency FROM partner_programs m JOIN programs p ON p.id = m.program_id
			WHERE m.partner_id = ${partnerId} ORDER BY m.id LIMIT ${MOST_PROGRAMS}
		)
	)`.mapWith((json: string): readonly OwnPartnerProgram[] => JSON.parse(json));
}

/** Partner accounts whose invitation the person accepted. A matching email address alone gives no access. */
export function selectPartnerAccounts(ctx: Context, userId: number, condition?: SQL) {
	return ctx.db
		.select({
			partnerId: partners.id,
			name: partners.name,
			workspaceId: workspaces.id,
			workspaceName: workspaces.name,
			partnerPrograms: programsOfPartner(sql`${partners.id}`),
		})
		.from(partners)
		.innerJoin(workspaces, eq(workspaces.id, partners.workspaceId))
		.where(and(eq(partners.userId, userId), condition))
		.orderBy(partners.id);
}
