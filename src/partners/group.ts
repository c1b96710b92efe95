import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { violates } from '../db/client.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { conflict, notFound, type Rejection } from '../domain/rejection.ts';

export type Group = Awaited<ReturnType<typeof selectGroups>>[number];

/** Active groups of a program, newest first, as a statement for any batch. */
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

/** An active group of this program. Rejects with 404. */
export async function requireGroup(ctx: Context, programId: number, groupId: number): Promise<Group> {
	const [group] = await selectGroups(ctx, programId, eq(partnerGroups.id, groupId));
	if (!group) throw noGroup();
	return group;
}

function countPartners(status: 'active' | 'suspended'): SQL<number> {
	return sql<number>`(SELECT count(*) FROM partner_programs pp WHERE pp.group_id = partner_groups.id AND pp.status = ${status})`;
}

/** Names are compared case-insensitively. */
export function keyOfName(name: string): string {
	return name.normalize('NFKC').toLowerCase();
}

/** 404 if the program has no such group or it is archived. */
export function noGroup(): Rejection {
	return notFound('Group');
}

/** Translates the database's error to 409 if another group has the name. */
export function orTaken(error: unknown, name: string): unknown {
	return violates(error, 'partner_groups.name_key') ? conflict(`A group named ${name} already exists`) : error;
}
