import { type SQL, sql } from 'drizzle-orm';

/** Null if the partner was never in the program. */
export function membershipIdOf(programId: number, partnerId: number): SQL<number | null> {
	return sql`(SELECT id FROM partner_programs WHERE program_id = ${programId} AND partner_id = ${partnerId})`;
}
