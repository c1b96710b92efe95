import { type SQL, sql } from 'drizzle-orm';

/** The id of a partner's membership in the program, or null. */
export function membershipIdOf(programId: number, partnerId: number): SQL<number | null> {
	return sql`(SELECT id FROM partner_programs WHERE program_id = ${programId} AND partner_id = ${partnerId})`;
}
