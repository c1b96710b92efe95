import { fillSums } from '../commission-sums/keep-sums.ts';
import { type Context, describeFault } from '../context.ts';
import { settleDoneDeadLetters } from '../dead-letters/settle-done-dead-letters.ts';
import { watchService } from '../monitoring/watch-service.ts';
import { applyWaiting } from '../notifications/apply-effects.ts';
import { sendEmails } from '../notifications/send-emails.ts';
import { fillSearchTexts } from '../partners/fill-search-texts.ts';
import { purgeApplications } from '../applications/purge-applications.ts';
import { purgePostbackDeliveries } from '../postbacks/purge-postback-deliveries.ts';
import { postbackChannel } from '../postbacks/postback-channel.ts';
import { retireClicks } from '../clicks/retire-clicks.ts';
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
import { webhookChannel } from '../webhooks/webhook-channel.ts';

/** Per job. */
const ROWS_PER_TICK = 500;
const REFUSALS_PER_TICK = 100;
const PROGRAMS_PER_TICK = 20;
/** Each program is compared hourly, up to 6,000 of them. */
const PROGRAMS_COMPARED = 100;
const POSTBACKS_LOOKED_THROUGH = 100;
const ERASURES_PER_TICK = 10;

const RUNS_PER_TICK = 20;
/** A slice is a day of a program, or 10,000 clicks of it. It takes 0.2 to 1 s, so a tick ends within its minute. */
const RETIRED_PER_TICK = { programs: PROGRAMS_PER_TICK, slices: 40, clicks: 50_000, ms: 20_000 } as const;

/** The jobs of every minute, in order, keyed by the event of their log line. */
export const JOBS: Readonly<Record<string, (ctx: Context) => Promise<number | undefined>>> = {
	effects_applied: applyWaiting,
	processor_events_swept: (ctx) => sweepEvents(ctx, ROWS_PER_TICK),
	commissions_repaired: (ctx) => repairCommissions(ctx, ROWS_PER_TICK),
	holds_released: (ctx) => releaseHolds(ctx, ROWS_PER_TICK),
	runs_continued: (ctx) => continueRuns(ctx, RUNS_PER_TICK),
	webhooks_woken: (ctx) => wakeForDue(ctx, webhookChannel),
	postbacks_woken: (ctx) => wakeForDue(ctx, postbackChannel),
	letters_sent: sendEmails,
	daily_rows_repaired: (ctx) => rollUpDays(ctx, PROGRAMS_COMPARED),
	commission_sums_filled: (ctx) => fillSums(ctx),
	processor_payloads_purged: (ctx) => purgePayloads(ctx, ROWS_PER_TICK),
	refusals_trimmed: (ctx) => trimRefusals(ctx, REFUSALS_PER_TICK),
	applications_purged: (ctx) => purgeApplications(ctx, ROWS_PER_TICK),
	webhook_deliveries_purged: (ctx) => purgeDeliveries(ctx, ROWS_PER_TICK),
	erasures_swept: (ctx) => sweepErasures(ctx, ERASURES_PER_TICK),
	postback_deliveries_purged: (ctx) => purgePostbackDeliveries(ctx, POSTBACKS_LOOKED_THROUGH),
	clicks_retired: (ctx) => retireClicks(ctx, RETIRED_PER_TICK),
	search_texts_filled: (ctx) => fillSearchTexts(ctx, ROWS_PER_TICK),
	dead_letters_settled: settleDoneDeadLetters,
	tick_noted: noteCronRun,
	alerts_told: watchService,
};

/** Runs every minute (wrangler.toml, triggers). A failing job does not stop the others. */
export async function tick(ctx: Context): Promise<void> {
	for (const [event, work] of Object.entries(JOBS)) await run(ctx, event, () => work(ctx));
}

async function run(ctx: Context, event: string, work: () => Promise<number | undefined>): Promise<void> {
	try {
		const rows = await work();
		if (rows !== undefined && rows > 0) ctx.log({ level: 'info', event, rows });
	} catch (error) {
		ctx.log({ level: 'error', event: 'tick_failed', work: event, ...describeFault(error) });
	}
}
