import { Hono } from 'hono';
import * as z from 'zod/mini';
import { once } from '../../../once.ts';
import { archiveProgram, restoreProgram } from '../../../programs/archive.ts';
import { createProgram } from '../../../programs/create-program.ts';
import { listPrograms } from '../../../programs/list-programs.ts';
import type { ProgramView } from '../../../programs/program-view.ts';
import { type ProgramDetails, readProgram } from '../../../programs/read-program.ts';
import { updateProgram } from '../../../programs/update-program.ts';
import type { AppEnv } from '../../app-env.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { Currency, Domain, Flag, Id, Name, Origins, QueryFlag, Strict, TimeZone, Whole } from '../../fields.ts';
import { MOST_RETENTION_DAYS } from '../../../domain/attribution/click-retention.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { isoOf } from '../../../domain/instant.ts';
import { body, noQuery, query } from '../../validate.ts';
import { TermsRequest, toTerms } from './commission-rules.ts';
import { fromPrimary } from '../../replica-reads.ts';
import { requireProgram, requireSession } from '../session.ts';

const COOKIE_WINDOW_DAYS = 60;

const settings = once(() => ({
	domain: z.nullish(Domain()),
	currency: z.optional(Currency()),
	cookie_window_days: z.optional(Whole(1, 3_650)),
	click_retention_days: z.nullish(Whole(1, MOST_RETENTION_DAYS)),
	allowed_origins: z.optional(Origins()),
	time_zone: z.optional(TimeZone()),
	server_leads_only: z.optional(Flag()),
	keep_emails: z.optional(Flag()),
	payout_minimum_cents: z.optional(Whole(0, MAX_AMOUNT_CENTS)),
	renewals_follow_checkout: z.optional(Flag()),
	coupon_wins: z.optional(Flag()),
	rules_by_line: z.optional(Flag()),
	partner_postbacks: z.optional(Flag()),
}));

export const ProgramRequest = once(() =>
	Strict({ ...settings(), workspace_id: z.optional(Id()), name: Name(), commission: z.optional(TermsRequest()) }),
);

export const ProgramChangeRequest = once(() => Strict({ ...settings(), name: z.optional(Name()), active: z.optional(Flag()) }));

export const ProgramQuery = once(() => z.extend(PageQuery(), { archived: z.optional(QueryFlag()) }));

export const programs = new Hono<AppEnv>()
	.post('/', requireSession, body(ProgramRequest), async (c) => {
		const { ctx, actor } = c.var;
		const request = c.req.valid('json');
		const program = await createProgram(ctx, actor, {
			workspaceId: request.workspace_id,
			name: request.name,
			domain: request.domain ?? null,
			currency: request.currency ?? 'USD',
			cookieWindowDays: request.cookie_window_days ?? COOKIE_WINDOW_DAYS,
			clickRetentionDays: request.click_retention_days ?? null,
			allowedOrigins: request.allowed_origins ?? [],
			timeZone: request.time_zone ?? 'UTC',
			serverLeadsOnly: request.server_leads_only ?? false,
			keepEmails: request.keep_emails ?? false,
			payoutMinimumCents: request.payout_minimum_cents ?? 0,
			renewalsFollowCheckout: request.renewals_follow_checkout ?? false,
			couponWins: request.coupon_wins ?? false,
			rulesByLine: request.rules_by_line ?? true,
			partnerPostbacks: request.partner_postbacks ?? true,
			commission: request.commission && toTerms(request.commission),
		});
		return c.json({ success: true, data: { ...programOnWire(program), api_token: program.apiToken } }, 201);
	})
	.get('/', requireSession, query(ProgramQuery), async (c) => {
		const { ctx, actor } = c.var;
		const { archived, ...request } = c.req.valid('query');
		const page = await listPrograms(ctx, actor, { ...request, isArchived: archived === 'true' });
		return c.json({ success: true, data: page.rows.map(programOnWire), meta: metaOf(page) });
	})
	.get('/:id', fromPrimary, requireProgram('member'), noQuery, async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: detailsOnWire(await readProgram(ctx, program.id)) });
	})
	.patch('/:id', requireProgram('admin'), body(ProgramChangeRequest), async (c) => {
		const request = c.req.valid('json');
		const { program, raisedRetentionDays } = await updateProgram(c.var.ctx, c.var.program, {
			name: request.name,
			domain: request.domain,
			currency: request.currency,
			cookieWindowDays: request.cookie_window_days,
			clickRetentionDays: request.click_retention_days,
			allowedOrigins: request.allowed_origins,
			timeZone: request.time_zone,
			active: request.active,
			serverLeadsOnly: request.server_leads_only,
			keepEmails: request.keep_emails,
			payoutMinimumCents: request.payout_minimum_cents,
			renewalsFollowCheckout: request.renewals_follow_checkout,
			couponWins: request.coupon_wins,
			rulesByLine: request.rules_by_line,
			partnerPostbacks: request.partner_postbacks,
		});
		return c.json({
			success: true,
			data: detailsOnWire(program),
			...(raisedRetentionDays !== undefined && {
				message: `Clicks are now kept for ${raisedRetentionDays} days, a week longer than the attribution window.`,
			}),
		});
	})
	.post('/:id/archive', requireProgram('owner'), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: detailsOnWire(await archiveProgram(ctx, program)) });
	})
	.post('/:id/restore', requireProgram('owner'), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: detailsOnWire(await restoreProgram(ctx, program)) });
	});

function programOnWire(program: ProgramView) {
	return {
		id: program.id,
		workspace_id: program.workspaceId,
		name: program.name,
		domain: program.domain,
		domain_verified_at: isoOf(program.domainVerifiedAt),
		currency: program.currency,
		cookie_window_days: program.cookieWindowDays,
		click_retention_days: program.clickRetentionDays,
		allowed_origins: program.allowedOrigins,
		time_zone: program.timeZone,
		active: program.active,
		server_leads_only: program.serverLeadsOnly,
		keep_emails: program.keepEmails,
		payout_minimum_cents: program.payoutMinimumCents,
		renewals_follow_checkout: program.renewalsFollowCheckout,
		coupon_wins: program.couponWins,
		rules_by_line: program.rulesByLine,
		partner_postbacks: program.partnerPostbacks,
		created_at: isoOf(program.createdAt),
		archived_at: isoOf(program.archivedAt),
		api_token_prefix: program.keyPrefix,
		api_token_last_used_at: isoOf(program.keyLastUsedAt),
	};
}

function detailsOnWire(program: ProgramDetails) {
	const { until, clicks, deleted, bytes, areInFiles } = program.retiredClicks;
	return {
		...programOnWire(program),
		has_sales: program.hasSales,
		kept_clicks: program.keptClicks,
		retired_clicks: { until, clicks, deleted, bytes, are_in_files: areInFiles },
	};
}
