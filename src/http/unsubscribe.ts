import { Hono } from 'hono';
import { requireSubscriber, unsubscribe as stopEmails } from '../notifications/mail-preferences.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientAddress, clientNetwork, requireWithinLimit } from './limits.ts';

/**
 * /unsubscribe/:token, linked from emails, without sign-in. GET changes nothing, because mail programs open links. The page's button, or a
 * mail program (RFC 8058), sends the POST.
 */
export const unsubscribe = new Hono<AppEnv>()
	.use(async (c, next) => {
		await requireWithinLimit(c.env.BROWSER_LIMIT, await clientNetwork(c));
		await next();
	})
	.get('/:token', async (c) => {
		await requireSubscriber(c.get('ctx'), c.req.param('token'));
		return page(
			c,
			'<p>Unsubscribe from emails about your commissions and payouts?</p><form method="post"><button class="button primary">Unsubscribe</button></form>',
		);
	})
	.post('/:token', async (c) => {
		await stopEmails(c.get('ctx'), c.req.param('token'), await clientAddress(c));
		return page(
			c,
			'<p>You will get no more emails about your commissions and payouts. You can still see them when you sign in, and choose there which emails you get.</p>',
		);
	});

const POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

function page(c: AppContext, body: string): Response {
	c.header('Content-Security-Policy', POLICY);
	c.header('Cache-Control', 'no-store');
	c.header('Referrer-Policy', 'no-referrer');
	return c.html(
		`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>Emails</title><link rel="stylesheet" href="/pages/program/page.css"></head><body><main class="program none"><section class="card stack"><h1>Emails</h1>${body}</section></main></body></html>`,
	);
}
