import { eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { cronRuns, refusedSales } from '../db/schema/health.ts';
import { programs } from '../db/schema/programs.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { checksOf, type IntegrationCheck, PATIENCE_MS } from '../domain/integration-check.ts';
import { notFound } from '../domain/rejection.ts';
import { parseOrigins } from '../tracking/program-of-link.ts';
import { TICK } from './note-cron-run.ts';

/** How far anything is counted: a health check must stay cheap where traffic is heavy. */
const COUNT_LIMIT = 100_000;

export interface ProgramStatus {
	readonly name: string;
	readonly domain: string | null;
	/** Real ones of the last 24 hours, bots left out; counted up to 100,000. */
	readonly clicks24h: number;
	readonly leads24h: number;
	readonly sales24h: number;
	/** Counted up to 100,000. */
	readonly activePartners: number;
	readonly pendingCommissions: number;
	/** Ms; null: none yet. */
	readonly lastClickAt: number | null;
	readonly lastLeadAt: number | null;
	readonly lastSaleAt: number | null;
	readonly isStripeConnected: boolean;
	/** In order. */
	readonly allowedOrigins: readonly string[];
	readonly checks: readonly IntegrationCheck[];
}

/** The health of a program's integration, and what to do next (contract, 4.5): one trip. */
export async function readStatus(ctx: Context, programId: number, countLimit: number = COUNT_LIMIT): Promise<ProgramStatus> {
	const [facts] = await selectFacts(ctx, programId, countLimit);
	if (!facts) throw notFound('Program');
	// The webhooks of the processor are not there yet.
	const isStripeConnected = false;
	const checks = checksOf({ ...facts, programId, isStripeConnected, hasOrigin: facts.allowedOrigins.length > 0 }, ctx.now);
	return { ...facts, isStripeConnected, checks };
}

function selectFacts(ctx: Context, programId: number, countLimit: number) {
	const countOf = (counted: SQL) => sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${counted} LIMIT ${countLimit}))`;
	const since = ctx.now - DAY_MS;
	return ctx.db
		.select({
			name: programs.name,
			domain: programs.domain,
			clicks24h: countOf(
				sql`affiliate_click_events WHERE program_id = ${programId} AND clicked_at > ${since} AND is_test = 0 AND is_bot = 0`,
			),
			leads24h: countOf(sql`affiliate_lead_events WHERE program_id = ${programId} AND created_at > ${since} AND is_test = 0`),
			sales24h: countOf(sql`affiliate_sale_events WHERE program_id = ${programId} AND created_at > ${since} AND is_test = 0`),
			activePartners: countOf(sql`partner_programs WHERE program_id = ${programId} AND status = 'active'`),
			pendingCommissions: countOf(sql`commissions WHERE program_id = ${programId} AND status = 'pending'`),
			lastClickAt: newestOf(sql`clicked_at FROM affiliate_click_events WHERE program_id = ${programId} AND is_test = 0 AND is_bot = 0`),
			lastLeadAt: newestOf(sql`created_at FROM affiliate_lead_events WHERE program_id = ${programId} AND is_test = 0`),
			lastSaleAt: newestOf(sql`created_at FROM affiliate_sale_events WHERE program_id = ${programId} AND is_test = 0`),
			allowedOrigins:
				sql`(SELECT json_group_array(origin) FROM (SELECT origin FROM allowed_origins WHERE program_id = ${programId} ORDER BY 1))`.mapWith(
					parseOrigins,
				),
			hasPartnerLink: exists(
				sql`referral_links l JOIN partner_programs p ON p.id = l.partner_program_id AND p.status = 'active'
				WHERE l.program_id = ${programId} AND l.archived_at IS NULL`,
			),
			hasRule: exists(sql`commission_rules WHERE program_id = ${programId} AND archived_at IS NULL`),
			deadLetters: countOf(sql`dead_letters WHERE program_id = ${programId} AND replayed_at IS NULL`),
			waitingSince: sql<number | null>`(
				SELECT min(created_at) FROM outbox
				WHERE done_at IS NULL AND created_at < ${ctx.now - PATIENCE_MS} AND program_id = ${programId}
			)`,
			lastTickAt: cronRuns.ranAt,
			refusal: {
				refusedAt: refusedSales.refusedAt,
				transactionId: refusedSales.transactionId,
				reason: refusedSales.reason,
			},
		})
		.from(programs)
		.leftJoin(cronRuns, eq(cronRuns.name, TICK))
		.leftJoin(refusedSales, eq(refusedSales.programId, programs.id))
		.where(eq(programs.id, programId));
}

function newestOf(instants: SQL): SQL<number | null> {
	return sql<number | null>`(SELECT ${instants} ORDER BY 1 DESC LIMIT 1)`;
}

function exists(rows: SQL): SQL<boolean> {
	return sql`EXISTS (SELECT 1 FROM ${rows})`.mapWith(Boolean);
}
