import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { addDays } from '../domain/calendar.ts';
import { SUM_FIELDS, type SumField } from '../domain/commissions/commission-sums.ts';
import { columnOf, eachField, KEY } from './columns.ts';
import { derivedSums } from './derive-sums.ts';

interface KeptRow extends Readonly<Record<string, unknown>> {
	readonly partner_program_id: number;
	readonly currency: string;
}

const OF_PROGRAM = (programId: number, day: string) => sql`EXISTS (
	SELECT 1 FROM commission_sum_scopes WHERE program_id = ${programId} AND summed_before > ${day})`;

/** Corrects sums of days that differ from their commissions. Returns how many. */
export async function repairSumsOf(ctx: Context, days: readonly { readonly id: number; readonly day: string }[]): Promise<number> {
	const answers = await write(ctx.db, [], Object.fromEntries(days.map(({ id, day }) => [`${id} ${day}`, repairedSums(ctx, id, day)])));
	for (const { id: programId, day } of days) {
		for (const { partner_program_id: partnerProgramId, currency, ...row } of answers[`${programId} ${day}`] ?? []) {
			const sums = Object.fromEntries(SUM_FIELDS.map((field: SumField) => [field, row[columnOf(field)]]).filter(([, sum]) => sum !== 0));
			ctx.log({ level: 'warn', event: 'commission_sums_repaired', programId, partnerProgramId, day, currency, ...sums });
		}
	}
	return Object.values(answers).flat().length;
}

function repairedSums({ db }: Context, programId: number, day: string) {
	const derived = derivedSums({
		programId,
		first: day,
		before: addDays(day, 1),
		scopes: sql`scope.summed_before > ${day}`,
		commissions: sql`c.program_id = ${programId} AND ${OF_PROGRAM(programId, day)}`,
	});
	const same = SUM_FIELDS.map(columnOf);
	return db.all<KeptRow>(sql`
		INSERT INTO commission_sums (${KEY}, ${eachField()})
		SELECT derived.* FROM (${derived}) AS derived LEFT JOIN commission_sums kept USING (${KEY})
		WHERE (${sql.raw(same.map((column) => `derived.${column}`).join(', '))})
			<> (${sql.raw(same.map((column) => `coalesce(kept.${column}, 0)`).join(', '))})
		ON CONFLICT (${KEY}) DO UPDATE SET ${eachField((column) => `${column} = excluded.${column}`)}
		RETURNING partner_program_id, currency, ${eachField()}`);
}
