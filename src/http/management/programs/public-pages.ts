import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import { findActor, requireActor } from '../../../accounts/session.ts';
import { once } from '../../../once.ts';
import { receiveApplication } from '../../../applications/receive-application.ts';
import { findProgramPage, type ProgramPage } from '../../../programs/find-program-page.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { Email, FreeText, Id, Name, Strict } from '../../fields.ts';
import { clientAddress, clientNetwork, requireWithinLimit } from '../../limits.ts';
import { body, noQuery } from '../../validate.ts';
import { termsOnWire } from '../applications/application-form.ts';
import { requireSiteWithinLimit } from '../guesses.ts';
import { termsOnWire as termsOfRule } from './commission-rules.ts';
import { DestinationUrl } from '../links/links.ts';
import { isByCookie, isSignedIn, requireSessionHash } from '../session.ts';

export const ApplicationRequest = once(() =>
	Strict({
		name: Name(),
		email: Email(),
		website: z.optional(DestinationUrl()),
		message: z.optional(FreeText(2_000)),
		accepted_terms_version: z.optional(Id()),
		fax: z.optional(FreeText(2_000)),
	}),
);

/** The same for everybody, so that it does not reveal who is a partner. */
export const APPLIED = 'We have received your application. The answer will go to the address that you entered.';

export const fewLooks = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.BROWSER_LIMIT, `page ${await clientNetwork(c)}`);
	await next();
});

const fewApplications = createMiddleware<AppEnv>(async (c, next) => {
	await requireWithinLimit(c.env.SIGN_IN_LIMIT, `application ${await clientNetwork(c)}`);
	await requireSiteWithinLimit(c);
	await next();
});

/** /api/v1/public, without sign-in. */
export const publicPages = new Hono<AppEnv>()
	.get('/programs/:slug', fewLooks, noQuery, async (c) => {
		return c.json({ success: true, data: pageOnWire(await findProgramPage(c.var.ctx, c.req.param('slug'))) });
	})
	.post('/programs/:slug/applications', fewApplications, noQuery, body(ApplicationRequest), async (c) => {
		const { accepted_terms_version: termsVersion, fax, ...application } = c.req.valid('json');
		// A hidden field that only bots fill in.
		if (!fax) await receiveApplication(c.var.ctx, c.req.param('slug'), { ...application, termsVersion, applicant: await applicantOf(c) });
		return c.json({ success: true, data: { message: APPLIED } }, 202);
	});

/** Ignores the cookie of an expired session, because browsers may still send it. */
async function applicantOf(c: AppContext) {
	if (!isSignedIn(c)) return undefined;
	const ask = isByCookie(c) ? findActor : requireActor;
	return ask(c.var.ctx, await requireSessionHash(c), await clientAddress(c));
}

function pageOnWire({ name, domain, currency, cookieWindowDays, payoutMinimumCents, mode, description, terms, rates }: ProgramPage) {
	const rate = rates.find(({ productId }) => productId === null);
	return {
		name,
		domain,
		description,
		applications: mode,
		terms: termsOnWire(terms),
		rate: rate ? termsOfRule(rate) : null,
		rates: rates.map((each) => ({ product_id: each.productId, ...termsOfRule(each) })),
		currency,
		cookie_window_days: cookieWindowDays,
		payout_minimum_cents: payoutMinimumCents,
	};
}
