import { type Context, describeFault } from '../context.ts';
import { settleDoneLetters } from '../dead-letters/settle-done-letters.ts';
import { watchService } from '../monitoring/watch-service.ts';
import { applyWaiting } from '../notifications/apply-effects.ts';
import { sendLetters } from '../notifications/send-letters.ts';
import { purgeApplications } from '../partners/purge-applications.ts';
import { purgePostbackDeliveries } from '../postbacks/purge-postback-deliveries.ts';
import { postbackOutlet } from '../postbacks/postback-outlet.ts';
import { sweepErasures } from '../privacy/sweep-erasures.ts';
import { purgePayloads } from '../processor/purge-payloads.ts';
import { sweepEvents } from '../processor/sweep-events.ts';
import { trimRefusals } from '../programs/trim-refusals.ts';
import { noteCronRun } from '../reporting/note-cron-run.ts';
import { rollUpDays } from '../reporting/roll-up-day.ts';
import { continueRuns } from '../runs/continue-runs.ts';
import { releaseHolds } from '../sales/release-holds.ts';
import { repairCommissions } from '../sales/repair-commissions.ts';
import { purgeDeliveries } from '../webhooks/purge-deliveries.ts';
import { wakeForDue } from '../webhooks/wake-sender.ts';
import { webhookOutlet } from '../webhooks/webhook-outlet.ts';

/** Rows of one kind of work per tick. */
const ROWS_PER_TICK = 500;
/** The oldest refusals that are looked at per tick. */
const REFUSALS_PER_TICK = 100;
/** Programs whose daily rows are compared per tick. */
const PROGRAMS_PER_TICK = 20;
/** The oldest calls of postbacks that are looked at per tick. */
const POSTBACKS_LOOKED_THROUGH = 100;
/** Erasures that are gone on with per tick. */
const ERASURES_PER_TICK = 10;

/** Runs that are continued per tick. */
const RUNS_PER_TICK = 20;

/** Every minute (wrangler.toml, triggers). One kind of work that fails does not hold up the others. */
export async function tick(ctx: Context): Promise<void> {
	await run(ctx, 'effects_applied', () => applyWaiting(ctx));
	await run(ctx, 'processor_events_swept', () => sweepEvents(ctx, ROWS_PER_TICK));
	await run(ctx, 'commissions_repaired', () => repairCommissions(ctx, ROWS_PER_TICK));
	await run(ctx, 'holds_released', () => releaseHolds(ctx, ROWS_PER_TICK));
	await run(ctx, 'runs_continued', () => continueRuns(ctx, RUNS_PER_TICK));
	await run(ctx, 'webhooks_woken', () => wakeForDue(ctx, webhookOutlet));
	await run(ctx, 'postbacks_woken', () => wakeForDue(ctx, postbackOutlet));
	await run(ctx, 'letters_sent', () => sendLetters(ctx));
	await run(ctx, 'daily_rows_repaired', () => rollUpDays(ctx, PROGRAMS_PER_TICK));
	await run(ctx, 'processor_payloads_purged', () => purgePayloads(ctx, ROWS_PER_TICK));
	await run(ctx, 'refusals_trimmed', () => trimRefusals(ctx, REFUSALS_PER_TICK));
	await run(ctx, 'applications_purged', () => purgeApplications(ctx, ROWS_PER_TICK));
	await run(ctx, 'webhook_deliveries_purged', () => purgeDeliveries(ctx, ROWS_PER_TICK));
	await run(ctx, 'erasures_swept', () => sweepErasures(ctx, ERASURES_PER_TICK));
	await run(ctx, 'postback_deliveries_purged', () => purgePostbackDeliveries(ctx, POSTBACKS_LOOKED_THROUGH));
	await run(ctx, 'dead_letters_settled', () => settleDoneLetters(ctx));
	await run(ctx, 'tick_noted', () => noteCronRun(ctx));
	await run(ctx, 'alerts_told', () => watchService(ctx));
}

async function run(ctx: Context, event: string, work: () => Promise<number | undefined>): Promise<void> {
	try {
		const rows = await work();
		if (rows !== undefined && rows > 0) ctx.log({ level: 'info', event, rows });
	} catch (error) {
		ctx.log({ level: 'error', event: 'tick_failed', work: event, ...describeFault(error) });
	}
}
