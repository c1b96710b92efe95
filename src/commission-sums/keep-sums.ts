import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { ALL_DAYS, ALL_PARTNERS, eachField, KEY } from './columns.ts';
import { derivedSums } from './derive-sums.ts';

/** Scopes with more commissions store their sums; others add them up on request. */
export const FEW_COMMISSIONS = 2_000;
const COMMISSIONS_PER_BATCH = 20_000;
const BATCHES_PER_TICK = 5;

export interface SumScope {
	readonly programId: number;
	readonly partnerProgramId: number;
}

/** Cron stores the sums of the scope from now on. */
export async function keepSums({ db }: Pick<Context, 'db'>, { programId, partnerProgramId }: SumScope): Promise<void> {
	await write(db, [
		db.run(sql`INSERT OR IGNORE INTO commission_sum_scopes (program_id, partner_program_id) VALUES (${programId}, ${partnerProgramId})`),
	]);
}

/** Does the same for programs with many commissions. */
export async function keepSumsOfMany({ db }: Pick<Context, 'db'>, programIds: readonly number[], few = FEW_COMMISSIONS): Promise<void> {
	if (programIds.length === 0) return;
	await write(db, [
		db.run(sql`
			INSERT INTO commission_sum_scopes (program_id, partner_program_id)
			SELECT program.value, ${ALL_PARTNERS} FROM json_each(${JSON.stringify(programIds)}) AS program
			WHERE NOT EXISTS (
					SELECT 1 FROM commission_sum_scopes WHERE program_id = program.value AND partner_program_id = ${ALL_PARTNERS})
				AND (SELECT count(*) FROM (SELECT 1 FROM commissions WHERE program_id = program.value LIMIT ${few + 1})) > ${few}`),
	]);
}

/** Sums up incomplete scopes, earliest days first. Returns how many batches it wrote. */
export async function fillSums(ctx: Context, perBatch = COMMISSIONS_PER_BATCH): Promise<number> {
	let batches = 0;
	while (batches < BATCHES_PER_TICK) {
		const [scope] = await findIncomplete(ctx);
		if (!scope) break;
		await fill(ctx, scope, await endOfBatch(ctx, scope, perBatch));
		batches += 1;
	}
	return batches;
}

type IncompleteScope = Awaited<ReturnType<typeof findIncomplete>>[number];

async function findIncomplete({ db }: Context) {
	return db.all<SumScope & { readonly summedBefore: string }>(sql`
		SELECT program_id AS programId, partner_program_id AS partnerProgramId, summed_before AS summedBefore
		FROM commission_sum_scopes WHERE summed_before < ${ALL_DAYS} LIMIT 1`);
}

/** The day before which a batch ends. A partner needs one batch, because no index has a partner's commissions by day. */
async function endOfBatch(
	{ db }: Context,
	{ programId, partnerProgramId, summedBefore }: IncompleteScope,
	perBatch: number,
): Promise<string> {
	if (partnerProgramId !== ALL_PARTNERS) return ALL_DAYS;
	const days = sql`SELECT created_day AS day FROM commissions WHERE program_id = ${programId} AND created_day >= ${summedBefore}`;
	const [found] = await db.all<{ readonly day: string | null }>(sql`
		SELECT max(day, (SELECT min(created_day) FROM commissions WHERE program_id = ${programId} AND created_day > first)) AS day
		FROM (SELECT
			(${days} ORDER BY created_day, id LIMIT 1) AS first,
			(${days} ORDER BY created_day, id LIMIT 1 OFFSET ${perBatch}) AS day)`);
	return found?.day ?? ALL_DAYS;
}

/** One batch, so that nothing changes between writing the sums and marking the days as summed. */
async function fill({ db }: Context, { programId, partnerProgramId, summedBefore }: IncompleteScope, before: string): Promise<void> {
	const derived = derivedSums({
		programId,
		first: summedBefore,
		before,
		scopes: sql`scope.partner_program_id = ${partnerProgramId}`,
		commissions:
			partnerProgramId === ALL_PARTNERS
				? sql`c.program_id = ${programId}`
				: sql`+c.program_id = ${programId} AND c.partner_program_id = ${partnerProgramId}`,
	});
	await write(db, [
		db.run(sql`
			INSERT INTO commission_sums (${KEY}, ${eachField()}) SELECT * FROM (${derived}) WHERE true
			ON CONFLICT (${KEY}) DO UPDATE SET ${eachField((column) => `${column} = excluded.${column}`)}`),
		db.run(sql`
			UPDATE commission_sum_scopes SET summed_before = max(summed_before, ${before})
			WHERE program_id = ${programId} AND partner_program_id = ${partnerProgramId}`),
	]);
}
