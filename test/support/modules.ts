import { exports } from 'cloudflare:workers';

// The Worker imports some modules on the first request. In Vitest a concurrent second request would wait forever, so they are loaded before
// the tests.

for (const path of ['/api/v1/me', '/webhooks/stripe/1']) {
	const init = path === '/api/v1/me' ? {} : { method: 'POST', headers: { 'Stripe-Signature': 'none' } };
	await (await exports.default.fetch(`http://service.test${path}`, init)).text();
}
