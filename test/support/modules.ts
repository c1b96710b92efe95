import { exports } from 'cloudflare:workers';

// The Worker imports some modules on its first request. In Vitest, a second concurrent request would then wait forever, so this loads them
// before the tests.

for (const path of ['/api/v1/me', '/webhooks/stripe/1']) {
	const init = path === '/api/v1/me' ? {} : { method: 'POST', headers: { 'Stripe-Signature': 'none' } };
	await (await exports.default.fetch(`http://service.test${path}`, init)).text();
}
