import { exports } from 'cloudflare:workers';

// The Worker imports some of its modules when they are first asked for. Vitest asks its own process for them, and a second request
// that meets the first one there would wait for ever: so they are there before a test begins.

for (const path of ['/api/v1/me', '/webhooks/stripe/1']) {
	const init = path === '/api/v1/me' ? {} : { method: 'POST', headers: { 'Stripe-Signature': 'none' } };
	await (await exports.default.fetch(`http://service.test${path}`, init)).text();
}
