import type { Service } from '../testing/service/service.ts';
import { signed, signingSecret } from '../testing/stripe/sign.ts';

const BROWSERS = [
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
];
const BASE = 'http://service.test';

type Fields = Readonly<Record<string, unknown>>;

/** A program, and calls from its visitors, backend and Stripe. */
export class Shop {
	readonly #service: Service;
	readonly #programId: number;
	readonly #key: string;
	readonly #secret: string;

	static async open(service: Service): Promise<Shop> {
		const owner = { email: 'ada@shop.example', password: 'correct horse battery', name: 'Ada Owner' };
		const token = String((await call(service, '/api/v1/auth/sign-up', owner))['token']);
		const commission = { type: 'percent', percent: 20, hold_days: 14 };
		const program = await call(service, '/api/v1/programs', { name: 'Shop', domain: 'shop.example', commission }, token);
		for (let index = 0; index < 20; index += 1) {
			const partner = { name: `Partner ${index}`, email: `partner-${index}@partner.example`, short_link: `partner-${index}` };
			await call(service, `/api/v1/programs/${String(program['id'])}/partners`, partner, token);
		}
		const secret = signingSecret();
		const connected = await request(
			service,
			`/api/v1/programs/${String(program['id'])}/stripe`,
			'PUT',
			JSON.stringify({ webhook_secret: secret }),
			bearer(token),
		);
		if (!connected.ok) throw new Error(await connected.text());
		return new Shop(service, program, secret);
	}

	private constructor(service: Service, { id, api_token: key }: Fields, secret: string) {
		this.#service = service;
		this.#programId = Number(id);
		this.#key = String(key);
		this.#secret = secret;
	}

	async click(index: number): Promise<string> {
		const link = `https://shop.example/pricing?aff=partner-${index % 20}`;
		const body = {
			affiliate_url: link,
			page_url: `https://shop.example/blog/${index % 300}/how-to-choose`,
			page_title: 'How to choose the right one, and what it costs',
			referrer_url: `https://blog-${index % 40}.example/`,
			user_agent: BROWSERS[index % BROWSERS.length],
			language: 'en-GB',
			timezone: 'Europe/London',
		};
		return String((await call(this.#service, '/api/v1/track/click', body, undefined, { 'CF-IPCountry': 'GB' }))['click_id']);
	}

	track(what: string, body: Fields): Promise<Fields> {
		return call(this.#service, `/api/v1/track/${what}`, body, this.#key);
	}

	async stripe(event: unknown): Promise<void> {
		const { body, header } = signed(event, this.#secret, Date.now());
		const response = await request(this.#service, `/webhooks/stripe/${this.#programId}`, 'POST', body, { 'Stripe-Signature': header });
		if (!response.ok) throw new Error(await response.text());
	}
}

async function call(service: Service, path: string, body: Fields, token?: string, headers: Record<string, string> = {}): Promise<Fields> {
	const response = await request(service, path, 'POST', JSON.stringify(body), {
		...headers,
		...(token === undefined ? {} : bearer(token)),
	});
	const answer: { readonly data?: Fields } & Fields = await response.json();
	if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${JSON.stringify(answer)}`);
	return answer.data ?? answer;
}

function request(service: Service, path: string, method: string, body: string, headers: Record<string, string>): Promise<Response> {
	return service.fetch(new Request(`${BASE}${path}`, { method, body, headers: { 'Content-Type': 'application/json', ...headers } }));
}

function bearer(token: string): Record<string, string> {
	return { Authorization: `Bearer ${token}` };
}
