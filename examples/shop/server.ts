import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

// A minimal shop that reports its sign-ups and sales. Start it with `npm run example`, or by hand:
//   TRACKER_URL=http://127.0.0.1:8787 TRACKER_KEY=prg_... node examples/shop/server.ts

const TRACKER_URL = process.env['TRACKER_URL'] ?? 'http://127.0.0.1:8787';
/** The program key. It must stay on the server. */
const TRACKER_KEY = process.env['TRACKER_KEY'] ?? '';
/** A partner's short link, which the page suggests. */
const TRACKER_PARTNER = process.env['TRACKER_PARTNER'] ?? 'demo';
const PORT = Number(process.env['PORT'] ?? 3000);

const PRICE_CENTS = 4_900;
const PAGES: Readonly<Record<string, string>> = {
	'/': 'index.html',
	'/account': 'account.html',
	'/thanks': 'thanks.html',
	'/style.css': 'style.css',
};

const server = createServer((request, response) => {
	handle(request, response).catch((error: unknown) => {
		console.error(error);
		response.writeHead(500).end('Something went wrong');
	});
});
server.on('error', (error) => {
	console.error(`The shop cannot listen on port ${PORT}: ${error.message}`);
	process.exitCode = 1;
});
server.listen(PORT, () => console.log(`The shop is open: http://localhost:${PORT}/?aff=${TRACKER_PARTNER}`));

/** Whether the shop is listening. */
export const opened = new Promise<boolean>((resolve) => {
	server.once('listening', () => resolve(true)).once('error', () => resolve(false));
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
	const route = `${request.method} ${pathname}`;
	if (route === 'POST /sign-up') await signUp(request, response);
	else if (route === 'POST /buy') await buy(request, response);
	else if (request.method === 'GET' && PAGES[pathname]) showPage(response, PAGES[pathname], searchParams);
	else response.writeHead(404).end('No such page');
}

/** Reports a lead: it binds the click id in the visitor's cookie to the shop's own id of the new customer. */
async function signUp(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const email = new URLSearchParams(await bodyOf(request)).get('email');
	const customerKey = `customer-${randomUUID()}`;
	const clickId = cookieOf(request, 'tracker_click_id');
	console.log(`\n${email} signs up as ${customerKey}, ${clickId ? `with the click ${clickId}` : 'without a click'}.`);
	await track('lead', { customer_key: customerKey, email, click_id: clickId });
	response.writeHead(303, { Location: '/account', 'Set-Cookie': `customer=${customerKey}; Path=/; HttpOnly; SameSite=Lax` }).end();
}

/** Reports a sale. A real shop does this once its payment provider has confirmed the payment. */
async function buy(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const customerKey = cookieOf(request, 'customer');
	if (customerKey === undefined) {
		response.writeHead(303, { Location: '/' }).end();
		return;
	}
	const orderId = `order-${randomUUID()}`;
	console.log(`\n${customerKey} buys a teapot: ${orderId}.`);
	const { commission_id: commissionId } = await track('sale', {
		transaction_id: orderId,
		amount_cents: PRICE_CENTS,
		currency: 'USD',
		customer_key: customerKey,
	});
	console.log(
		typeof commissionId === 'number' ? `The partner has earned commission ${commissionId}.` : 'No partner has earned a commission.',
	);
	response.writeHead(303, { Location: '/thanks' }).end();
}

/** Reports an event and prints the response. An error never affects the customer, because a shop must not depend on the tracker. */
async function track(event: 'lead' | 'sale', body: object): Promise<Record<string, unknown>> {
	console.log(`  -> POST /api/v1/track/${event} ${JSON.stringify(body)}`);
	try {
		const response = await fetch(`${TRACKER_URL}/api/v1/track/${event}`, {
			method: 'POST',
			headers: { Authorization: `Bearer ${TRACKER_KEY}`, 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(10_000),
		});
		// 409 means that this sale is already recorded. After a 5xx or no response, a real shop retries later.
		const text = await response.text();
		console.log(`  <- ${response.status} ${text}`);
		return Object(JSON.parse(text));
	} catch (error) {
		console.log(`  <- no response from ${TRACKER_URL}: ${error instanceof Error ? error.message : String(error)}`);
		return {};
	}
}

function showPage(response: ServerResponse, file: string, query: URLSearchParams): void {
	if (query.has('aff')) console.log(`\nA visitor arrives through the link of ${JSON.stringify(query.get('aff'))}.`);
	const text = readFileSync(join(import.meta.dirname, 'pages', file), 'utf8');
	response.setHeader('Content-Type', file.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8');
	response.end(text.replaceAll('{{tracker}}', TRACKER_URL).replaceAll('{{partner}}', TRACKER_PARTNER));
}

function cookieOf(request: IncomingMessage, name: string): string | undefined {
	const pair = request.headers.cookie?.split('; ').find((text) => text.startsWith(`${name}=`));
	return pair?.slice(name.length + 1);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}
