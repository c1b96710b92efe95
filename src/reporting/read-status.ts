import { eq, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { cronRuns, uncreditedLeads } from '../db/schema/health.ts';
import { programs } from '../db/schema/programs.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { checksOf, type IntegrationCheck } from '../domain/monitoring/integration-check.ts';
import { MISSPELT_MS } from '../domain/misspelt-field.ts';
import { isOriginAllowed } from '../domain/origin.ts';
import { PATIENCE_MS } from '../domain/monitoring/processor-checks.ts';
import { notFound } from '../domain/rejection.ts';
import { IS_UNPAID } from '../ledger/balances.ts';
import { missingStripeEvents } from '../processor/stripe/missing-events.ts';
import { STRIPE_EVENT_TYPES, STRIPE_REVERSAL_TYPES } from '../processor/stripe/read-event.ts';
import { sortedOrigins } from '../programs/program-of-link.ts';
import { stringsOf } from '../db/strings-of.ts';
import { anyEventAt, dueSince, lastTrouble, selectOthers, selectSignatureFailures, withModules } from './connected-processors.ts';
import { TICK } from './note-cron-run.ts';
import { selectArrivals, selectPaidInvoices, selectReportedTwice } from './processor-health.ts';

/** Counts stop here, so that the status stays cheap under heavy traffic. */
const COUNT_LIMIT = 1_000;

export interface ProgramStatus {
	readonly name: string;
	readonly domain: string | null;
	/** Real events of the last 24 hours, without crawlers, counted up to 1,000. */
	readonly clicks24h: number;
	readonly leads24h: number;
	readonly sales24h: number;
	/** Counted up to 1,000. */
	readonly activePartners: number;
	/** Among up to 1,000 unpaid commissions. */
	readonly pendingCommissions: number;
	/** In ms; null if there is none yet. */
	readonly lastClickAt: number | null;
	readonly lastLeadAt: number | null;
	readonly lastSaleAt: number | null;
	readonly isStripeConnected: boolean;
	/** Sorted. */
	readonly allowedOrigins: readonly string[];
	/** Refused in the last 24 hours and still not allowed; sorted. */
	readonly refusedOrigins: readonly string[];
	readonly checks: readonly IntegrationCheck[];
}

/** The health of a program's integration (contract, 4.5). One round trip. Rejects with 404. */
export async function readStatus(ctx: Context, programId: number, countLimit: number = COUNT_LIMIT): Promise<ProgramStatus> {
	const [facts] = await selectFacts(ctx, programId, countLimit);
	if (!facts) throw notFound('Program');
	const { allowedOrigins, arrivals, paidInvoices, connected, failures, ...rest } = facts;
	const others = await withModules(connected, failures);
	const stripeFailures = failures.filter(({ processor }) => processor === 'stripe');
	const hasOrigin = allowedOrigins.length > 0;
	const refusedOrigins = facts.refusedOrigins.filter((origin) => !isOriginAllowed(origin, allowedOrigins));
	const missingEvents = missingStripeEvents(arrivals, paidInvoices);
	const inputs = { ...rest, programId, hasOrigin, refusedOrigins, stripeEvents: STRIPE_EVENT_TYPES, stripeFailures, missingEvents, others };
	const checks = checksOf(inputs, ctx.now);
	return { ...rest, allowedOrigins, refusedOrigins, checks };
}

const STRIPE = sql`'stripe'`;

function selectFacts(ctx: Context, programId: number, countLimit: number) {
	const countOf = (counted: SQL) => sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${counted} LIMIT ${countLimit}))`;
	const since = ctx.now - DAY_MS;
	return ctx.db
		.select({
			name: programs.name,
			domain: programs.domain,
			isArchived: sql`${programs.archivedAt} IS NOT NULL`.mapWith(Boolean),
			clicks24h: countOf(
				sql`affiliate_click_events WHERE program_id = ${programId} AND clicked_at > ${since} AND is_test = 0 AND is_bot = 0`,
			),
			leads24h: countOf(sql`affiliate_lead_events WHERE program_id = ${programId} AND created_at > ${since} AND is_test = 0`),
			sales24h: countOf(sql`affiliate_sale_events WHERE program_id = ${programId} AND created_at > ${since} AND is_test = 0`),
			activePartners: countOf(sql`partner_programs WHERE program_id = ${programId} AND status = 'active'`),
			// Searches a bounded number of unpaid commissions, because no index covers only those on hold.
			pendingCommissions: countOf(
				sql`(SELECT c.status FROM commissions c WHERE c.program_id = ${programId} AND ${IS_UNPAID} LIMIT ${countLimit}) WHERE status = 'pending'`,
			),
			lastClickAt: newestOf(sql`clicked_at FROM affiliate_click_events WHERE program_id = ${programId} AND is_test = 0 AND is_bot = 0`),
			hasAnyClick: sql`(EXISTS (SELECT 1 FROM affiliate_click_events WHERE program_id = ${programId} AND is_test = 0)
				OR EXISTS (SELECT 1 FROM retired_click_days WHERE program_id = ${programId}))`.mapWith(Boolean),
			lastLeadAt: newestOf(sql`created_at FROM affiliate_lead_events WHERE program_id = ${programId} AND is_test = 0`),
			lastSaleAt: newestOf(sql`created_at FROM affiliate_sale_events WHERE program_id = ${programId} AND is_test = 0`),
			allowedOrigins: sortedOrigins,
			refusedOrigins:
				sql`(SELECT json_group_array(origin) FROM (SELECT origin FROM refused_origins WHERE program_id = ${programId} AND refused_at > ${since} ORDER BY 1))`.mapWith(
					stringsOf,
				),
			hasPartnerLink: exists(
				sql`referral_links l JOIN partner_programs p ON p.id = l.partner_program_id AND p.status = 'active'
				WHERE l.program_id = ${programId} AND l.archived_at IS NULL`,
			),
			hasRule: exists(sql`commission_rules WHERE program_id = ${programId} AND archived_at IS NULL`),
			deadLetters: countOf(sql`dead_letters WHERE program_id = ${programId} AND replayed_at IS NULL`),
			waitingSince: sql<number | null>`(
				SELECT min(created_at) FROM outbox
				WHERE program_id = ${programId} AND created_at < ${ctx.now - PATIENCE_MS}
			)`,
			lastTickAt: cronRuns.ranAt,
			isStripeConnected: exists(sql`processor_endpoints WHERE program_id = ${programId} AND processor = 'stripe'`),
			lastStripeEventAt: anyEventAt(programId, STRIPE),
			stripeDueSince: dueSince(programId, STRIPE),
			stripeTrouble: lastTrouble(programId, STRIPE, { states: ['failed', 'refused'], now: ctx.now }),
			lostReversal: lastTrouble(programId, STRIPE, { states: ['expired'], now: ctx.now, types: STRIPE_REVERSAL_TYPES }),
			connected: selectOthers(programId, ctx.now),
			failures: selectSignatureFailures(programId, ctx.now),
			arrivals: selectArrivals(programId, ctx.now),
			paidInvoices: selectPaidInvoices(programId, ctx.now),
			reportedTwice: selectReportedTwice(programId, ctx.now),
			refusal: lastRefusal(programId),
			misspelt: lastMisspelt(programId, ctx.now),
			uncredited: { leads: uncreditedLeads.leads, since: uncreditedLeads.since, lastAt: uncreditedLeads.lastAt },
		})
		.from(programs)
		.leftJoin(cronRuns, eq(cronRuns.name, TICK))
		.leftJoin(uncreditedLeads, eq(uncreditedLeads.programId, programs.id))
		.where(eq(programs.id, programId));
}

const Refused = z.object({ refusedAt: z.number(), transactionId: z.nullable(z.string()), reason: z.string() });

/** The last refused sale that needs a change to the integration. */
function lastRefusal(programId: number): SQL<z.infer<typeof Refused> | null> {
	return sql<z.infer<typeof Refused> | null>`(
		SELECT json_object('refusedAt', last_at, 'transactionId', transaction_id, 'reason', message)
		FROM refusals WHERE program_id = ${programId} AND operation = 'sale' AND is_routine = 0 ORDER BY hour DESC, last_at DESC LIMIT 1
	)`.mapWith((json: string | null) => (json === null ? null : Refused.parse(JSON.parse(json))));
}

const Misspelt = z.array(z.object({ operation: z.string(), field: z.string(), meant: z.string(), calls: z.number() }));

/** The most frequent ones of the last day. */
function lastMisspelt(programId: number, now: number): SQL<z.infer<typeof Misspelt>> {
	return sql<z.infer<typeof Misspelt>>`(
		SELECT json_group_array(json_object('operation', operation, 'field', field, 'meant', meant, 'calls', calls)) FROM (
			SELECT * FROM misspelt_fields WHERE program_id = ${programId} AND last_at >= ${now - MISSPELT_MS} ORDER BY calls DESC, field LIMIT 5
		)
	)`.mapWith((json: string) => Misspelt.parse(JSON.parse(json)));
}

function newestOf(instants: SQL): SQL<number | null> {
	return sql<number | null>`(SELECT ${instants} ORDER BY 1 DESC LIMIT 1)`;
}

function exists(rows: SQL): SQL<boolean> {
	return sql`EXISTS (SELECT 1 FROM ${rows})`.mapWith(Boolean);
}
