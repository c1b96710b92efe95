import type { DatabaseSync } from 'node:sqlite';
import { Random } from '../../testing/random.ts';

// The partners' systems, which postbacks call. Most calls succeed.

const ANSWERS = [200, 200, 200, 200, 200, 200, 200, 204, 302, 410, 500, 503] as const;

export class Network {
	/** Whether every call succeeds. */
	isCalm = false;
	/** Called although no delivery was pending for them. */
	readonly amiss: string[] = [];
	/** How often each call succeeded. */
	readonly taken = new Map<string, number>();
	readonly #waiting;
	readonly #random: Random;
	readonly #count: (what: string) => void;

	constructor(sqlite: DatabaseSync, seed: number, count: (what: string) => void) {
		this.#count = count;
		this.#random = new Random(seed);
		this.#waiting = sqlite.prepare(`
			SELECT d.amount_cents, d.currency FROM postback_deliveries d JOIN postbacks b ON b.id = d.postback_id
			WHERE b.partner_program_id = ? AND d.event = ? AND d.currency = ? AND d.state = 'pending'`);
	}

	called(url: string): Response {
		const { pathname, searchParams } = new URL(url);
		const [event, amount, currency] = ['e', 'a', 'c'].map((name) => searchParams.get(name) ?? '');
		const waiting = this.#waiting.all(Number(pathname.slice(1)), event ?? '', currency ?? '');
		if (!waiting.some((row) => String(row['amount_cents']) === amount?.replace('.', '').replace(/^0+(?=\d)/, ''))) this.amiss.push(url);
		const status = this.isCalm ? 200 : this.#random.pick(ANSWERS);
		this.#count(`postback: answered by ${status}`);
		const call = `${pathname} ${event} ${amount} ${currency}`;
		if (status < 300) this.taken.set(call, (this.taken.get(call) ?? 0) + 1);
		return new Response(null, { status });
	}
}
