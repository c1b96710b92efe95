import { Hono } from 'hono';
import * as z from 'zod/mini';
import { once } from '../../once.ts';
import { createProgram } from '../../programs/create-program.ts';
import { listPrograms } from '../../programs/list-programs.ts';
import type { ProgramView } from '../../programs/program-view.ts';
import { readProgram } from '../../programs/read-program.ts';
import { updateProgram } from '../../programs/update-program.ts';
import type { AppEnv } from '../app-env.ts';
import { Id } from '../schema.ts';
import { TermsRequest, toTerms } from './commission-rules.ts';
import { Currency, Domain, Flag, Name, Origins, Strict, TimeZone, Whole } from './fields.ts';
import { isoOf } from './filters.ts';
import { json, metaOf, PageQuery, pathId, query, requireNoQuery, requireSession } from './session.ts';

const COOKIE_WINDOW_DAYS = 60;

const settings = once(() => ({
	domain: z.nullish(Domain()),
	currency: z.optional(Currency()),
	cookie_window_days: z.optional(Whole(1, 3_650)),
	allowed_origins: z.optional(Origins()),
	time_zone: z.optional(TimeZone()),
	server_leads_only: z.optional(Flag()),
	keep_emails: z.optional(Flag()),
	renewals_follow_checkout: z.optional(Flag()),
}));

export const ProgramRequest = once(() =>
	Strict({ ...settings(), workspace_id: z.optional(Id()), name: Name(), commission: z.optional(TermsRequest()) }),
);

export const ProgramChangeRequest = once(() => Strict({ ...settings(), name: z.optional(Name()), active: z.optional(Flag()) }));

export const programs = new Hono<AppEnv>();

programs.post('/', async (c) => {
	const actor = await requireSession(c);
	const request = await json(c, ProgramRequest);
	const program = await createProgram(c.get('ctx'), actor, {
		workspaceId: request.workspace_id,
		name: request.name,
		domain: request.domain ?? null,
		currency: request.currency ?? 'USD',
		cookieWindowDays: request.cookie_window_days ?? COOKIE_WINDOW_DAYS,
		allowedOrigins: request.allowed_origins ?? [],
		timeZone: request.time_zone ?? 'UTC',
		serverLeadsOnly: request.server_leads_only ?? false,
		keepEmails: request.keep_emails ?? false,
		renewalsFollowCheckout: request.renewals_follow_checkout ?? false,
		commission: request.commission && toTerms(request.commission),
	});
	return c.json({ success: true, data: { ...programOnWire(program), api_token: program.apiToken } }, 201);
});

programs.get('/', async (c) => {
	const actor = await requireSession(c);
	const page = await listPrograms(c.get('ctx'), actor, query(c, PageQuery));
	return c.json({ success: true, data: page.rows.map(programOnWire), meta: metaOf(page) });
});

programs.get('/:id', async (c) => {
	const actor = await requireSession(c);
	requireNoQuery(c);
	const program = await readProgram(c.get('ctx'), actor, pathId(c, 'id'));
	return c.json({ success: true, data: programOnWire(program) });
});

programs.patch('/:id', async (c) => {
	const actor = await requireSession(c);
	const programId = pathId(c, 'id');
	const request = await json(c, ProgramChangeRequest);
	const program = await updateProgram(c.get('ctx'), actor, programId, {
		name: request.name,
		domain: request.domain,
		currency: request.currency,
		cookieWindowDays: request.cookie_window_days,
		allowedOrigins: request.allowed_origins,
		timeZone: request.time_zone,
		active: request.active,
		serverLeadsOnly: request.server_leads_only,
		keepEmails: request.keep_emails,
		renewalsFollowCheckout: request.renewals_follow_checkout,
	});
	return c.json({ success: true, data: programOnWire(program) });
});

function programOnWire(program: ProgramView) {
	return {
		id: program.id,
		workspace_id: program.workspaceId,
		name: program.name,
		domain: program.domain,
		domain_verified_at: program.domainVerifiedAt === null ? null : isoOf(program.domainVerifiedAt),
		currency: program.currency,
		cookie_window_days: program.cookieWindowDays,
		allowed_origins: program.allowedOrigins,
		time_zone: program.timeZone,
		active: program.active,
		server_leads_only: program.serverLeadsOnly,
		keep_emails: program.keepEmails,
		renewals_follow_checkout: program.renewalsFollowCheckout,
		created_at: isoOf(program.createdAt),
		api_token_prefix: program.keyPrefix,
		api_token_last_used_at: program.keyLastUsedAt === null ? null : isoOf(program.keyLastUsedAt),
	};
}
