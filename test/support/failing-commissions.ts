import { env } from 'cloudflare:workers';
import { bearer, trackWith } from './bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { aLead, type Funnel, type Tracked } from './funnel.ts';
import { unique } from './world.ts';

export async function whileCommissionsFail<Result>(funnel: Pick<Funnel, 'partnerProgramId'>, work: () => Promise<Result>): Promise<Result> {
	const trigger = `fail_commissions_of_${funnel.partnerProgramId}`;
	await env.DB.prepare(
		`CREATE TRIGGER ${trigger} BEFORE INSERT ON commissions WHEN NEW.partner_program_id = ${funnel.partnerProgramId}
		BEGIN SELECT RAISE(ABORT, 'no commission today'); END`,
	).run();
	try {
		return await work();
	} finally {
		await env.DB.prepare(`DROP TRIGGER ${trigger}`).run();
	}
}

/** Its effects wait in the outbox. */
export async function aSaleWithoutItsCommission(
	funnel: Funnel,
	DB: D1Database = env.DB,
): Promise<{ readonly transactionId: string; readonly answer: Tracked }> {
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(funnel) };
	const answer = await whileCommissionsFail(funnel, () =>
		trackWith({ DB, EFFECTS: holdingQueue() }, 'sale', sale, bearer(funnel.apiToken)),
	);
	return { transactionId: sale.transaction_id, answer };
}
