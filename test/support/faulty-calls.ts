import fc from 'fast-check';
import { expect, inject } from 'vitest';
import { type Tracker, TrackerError } from '../../src/sdk/index.ts';
import { aTracker, FATES, type Fate, faultyNetwork } from './faulty-network.ts';
import type { Funnel } from './funnel.ts';

// Concurrent callers of the SDK, some with the same id. Each has its own unreliable network.

/** A slower attempt is one more fault. */
const TIMEOUT_MS = 50;

export interface Caller {
	/** Callers with the same id report the same event. */
	readonly id: number;
	readonly retries: number;
	readonly fates: readonly Fate[];
}

/** A receipt, or an error that says whether the call may have been recorded. */
export type End<Receipt> = { readonly receipt: Receipt } | { readonly mayBeRecorded: boolean };

const someOf = (...fates: readonly Fate[]) => fc.array(fc.constantFrom(...fates), { minLength: 4, maxLength: 4 });
const mixed = fc.array(fc.constantFrom(...FATES, 'works', 'works'), { maxLength: 4 });
/** Usually a mix of fates; sometimes an outage or a rate limit that outlasts every attempt. */
const day = fc.oneof(
	{ weight: 4, arbitrary: mixed },
	{ weight: 1, arbitrary: someOf('never arrives', 'bad gateway') },
	{ weight: 1, arbitrary: someOf('too many requests') },
	{ weight: 1, arbitrary: someOf('loses its answer', 'too many requests') },
);

/** Up to six callers share up to `ids` ids. */
export function callersOf(ids: number): fc.Arbitrary<Caller[]> {
	const caller = fc.record({ id: fc.nat(ids - 1), retries: fc.constantFrom(0, 1, 3), fates: day });
	return fc.array(caller, { minLength: 1, maxLength: 6 });
}

/** Waits for every request. Returns how the calls ended, by id. */
export async function callAll<Receipt>(
	funnel: Funnel,
	callers: readonly Caller[],
	call: (tracker: Tracker, id: number) => Promise<Receipt>,
): Promise<Map<number, End<Receipt>[]>> {
	const ends = new Map<number, End<Receipt>[]>();
	const calls = callers.map(({ id, fates, retries }) => {
		const { fetch, settle } = faultyNetwork(funnel, fates);
		const ended = endOf(call(aTracker(funnel, { fetch, timeoutMs: TIMEOUT_MS, retries }), id));
		return { id, ended, settle };
	});
	for (const { id, ended } of calls) ends.set(id, [...(ends.get(id) ?? []), await ended]);
	await Promise.all(calls.map(({ settle }) => settle()));
	return ends;
}

async function endOf<Receipt>(call: Promise<Receipt>): Promise<End<Receipt>> {
	try {
		return { receipt: await call };
	} catch (error) {
		if (!(error instanceof TrackerError)) throw error;
		return { mayBeRecorded: error.mayBeRecorded };
	}
}

/** A property proves nothing about a case that never occurs. */
export class Tally {
	readonly #times = new Map<string, number>();

	note(what: string): void {
		this.#times.set(what, (this.#times.get(what) ?? 0) + 1);
	}

	expectAll(...what: readonly string[]): void {
		const least = inject('thorough') ? 5 : 1;
		expect(what.filter((one) => (this.#times.get(one) ?? 0) < least)).toEqual([]);
	}
}

/** Compares the records with one id with the results of its calls. */
export function expectHonest(ends: readonly End<{ readonly recorded: boolean }>[], records: number, tally: Tally): void {
	expect(records).toBeLessThanOrEqual(1);
	if (ends.some((end) => 'receipt' in end && end.receipt.recorded)) expect(records).toBe(1);
	if (ends.every((end) => ('receipt' in end ? !end.receipt.recorded : !end.mayBeRecorded))) expect(records).toBe(0);
	for (const end of ends) {
		if ('receipt' in end) tally.note(end.receipt.recorded ? 'told: recorded' : 'told: not recorded');
		else if (!end.mayBeRecorded) tally.note('failed: not recorded');
		else tally.note(records === 0 ? 'failed, open: not recorded' : 'failed, open: recorded');
	}
}
