import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { violates } from '../db/client.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { conflict, notFound, type Rejection } from '../domain/rejection.ts';

export type Group = Awaited<ReturnType<typeof selectGroups>>[number];

/** Active groups, newest first. */
export function selectGroups(ctx: Context, programId: number, condition?: SQL) {
	return ctx.db
		.select({
			id: partnerGroups.id,
			name: partnerGroups.name,
			activePartners: countPartners('active'),
			suspendedPartners: countPartners('suspended'),
			/** In force. */
			rules: sql<number>`(
				SELECT count(*) FROM commission_rules r
				WHERE r.program_id = partner_groups.program_id AND r.group_id = partner_groups.id AND r.archived_at IS NULL)`,
			createdAt: partnerGroups.createdAt,
		})
		.from(partnerGroups)
		.where(and(eq(partnerGroups.programId, programId), isNull(partnerGroups.archivedAt), condition))
		.orderBy(desc(partnerGroups.id));
}

/** Rejects with 404 for an archived or foreign group. */
export async function requireGroup(ctx: Context, programId: number, groupId: number): Promise<Group> {
	const [group] = await selectGroups(ctx, programId, eq(partnerGroups.id, groupId));
	if (!group) throw noGroup();
	return group;
}

function countPartners(status: 'active' | 'suspended'): SQL<number> {
	return sql<number>`(SELECT count(*) FROM partner_programs pp WHERE pp.group_id = partner_groups.id AND pp.status = ${status})`;
}

export function keyOfName(name: string): string {
	return name.normalize('NFKC').toLowerCase();
}

export function noGroup(): Rejection {
	return notFound('Group');
}

/** Translates a violated constraint to 409 if another group has the name. */
export function orTaken(error: unknown, name: string): unknown {
	return violates(error, 'partner_groups.name_key') ? conflict(`A group named ${name} already exists`) : error;
}
