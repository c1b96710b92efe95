import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import { conflict, notFound } from '../domain/rejection.ts';

export function selectMembers(ctx: Context, programId: number, partnerIds: readonly number[]) {
	return ctx.db
		.select({ partnerProgramId: partnerPrograms.id, partnerId: partnerPrograms.partnerId, status: partnerPrograms.status })
		.from(partnerPrograms)
		.where(isSelected(programId, partnerIds));
}

export function isSelected(programId: number, partnerIds: readonly number[]): SQL | undefined {
	return and(
		eq(partnerPrograms.programId, programId),
		sql`${partnerPrograms.partnerId} IN (SELECT value FROM json_each(${JSON.stringify(partnerIds)}))`,
	);
}

/** Rejects with 404 for an unknown partner, and with 409 for an ended membership. */
export function requireMembers(partnerIds: readonly number[], found: Awaited<ReturnType<typeof selectMembers>>): void {
	const statuses = new Map(found.map(({ partnerId, status }) => [partnerId, status]));
	for (const id of partnerIds) {
		const status = statuses.get(id);
		if (status === undefined) throw notFound(`Partner ${id}`);
		if (status === 'ended') throw conflict(`The membership of partner ${id} has ended: add the partner again`);
	}
}
