import type { Call } from '../../testing/d1/look-alike.ts';
import type { Random } from '../../testing/random.ts';

/** A client's request, a queue delivery or a cron tick. */
export interface Caller {
	readonly id: number;
	isCrashed: boolean;
	calls: number;
	faults: number;
	/** After a crash its promise never resolves, and deferred work is lost. */
	crash(): void;
}

export function isInjected(text: string): boolean {
	return text.includes('Network connection lost') || text.includes('exceeded its CPU time limit');
}

/** The share of writes with a fault before them, and again with a fault after them. */
export interface FaultRate {
	readonly rate: number;
}

interface Pending {
	readonly caller: Caller;
	readonly call: Call;
	readonly resolve: (answer: unknown) => void;
	readonly reject: (error: unknown) => void;
	/** The caller got an error, but the write will still run. */
	readonly isLate?: boolean;
}

/** Reads fail less often, so that more requests reach their write. */
const READ_SHARE = 0.2;
/** The share of writes that fail for their caller but still run later. */
const LATE_SHARE = 0.3;
const RETRYABLE = 'D1_ERROR: Network connection lost.';
const FINAL = 'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.: SQLITE_ERROR';

/** A caller that is slower than all others after this many calls. */
export interface SlowCaller {
	readonly id: Caller['id'];
	readonly calls: number;
}

/** Every call to D1, a queue or the bucket waits here. The order and the faults are random. */
export class Schedule {
	#pending: Pending[] = [];
	#slow: SlowCaller | undefined;
	readonly #onFault: (name: string) => void;
	readonly #onCommit: (call: Call) => void;

	constructor(onFault: (name: string) => void, onCommit: (call: Call) => void) {
		this.#onFault = onFault;
		this.#onCommit = onCommit;
	}

	enter<Answer>(caller: Caller, call: Call<Answer>): Promise<Answer> {
		return new Promise<Answer>((resolve, reject) => {
			if (caller.isCrashed) return;
			caller.calls += 1;
			this.#pending.push({ caller, call, resolve: (answer) => resolve(answer as Answer), reject });
		});
	}

	/** In this step, the caller waits after so many calls until nobody else has one. Random orders hardly ever let one wait that long. */
	slowDown(caller: SlowCaller): void {
		this.#slow = caller;
	}

	/** Runs calls until none is waiting. */
	async settle(random: Random, { rate }: FaultRate): Promise<void> {
		for (;;) {
			await allMicrotasks();
			this.#pending = this.#pending.filter(({ caller }) => !caller.isCrashed).toSorted((a, b) => a.caller.id - b.caller.id);
			if (this.#pending.length === 0) break;
			const quick = this.#pending.filter((pending) => !this.#isSlow(pending));
			const next = random.pick(quick.length > 0 ? quick : this.#pending);
			this.#pending = this.#pending.filter((pending) => pending !== next);
			this.#perform(next, random, next.call.isWrite ? rate : rate * READ_SHARE);
		}
		this.#slow = undefined;
	}

	#isSlow({ caller }: Pending): boolean {
		return caller.id === this.#slow?.id && caller.calls > this.#slow.calls;
	}

	#perform(pending: Pending, random: Random, rate: number): void {
		if (!pending.isLate && random.chance(rate)) {
			if (pending.call.isWrite && random.chance(LATE_SHARE)) this.#pending.push(late(pending));
			return this.#fail(pending, 'before', random);
		}
		let answer: unknown;
		try {
			answer = pending.call.run();
		} catch (error) {
			return pending.reject(error);
		}
		if (pending.call.isWrite) this.#onCommit(pending.call);
		if (pending.call.isWrite && !pending.isLate && random.chance(rate)) return this.#fail(pending, 'after', random);
		pending.resolve(answer);
	}

	#fail({ caller, call, reject }: Pending, when: 'before' | 'after', random: Random): void {
		const [first = ''] = call.statements;
		const subject = ['send', 'put'].includes(first) ? first : call.isWrite ? 'commit' : 'read';
		const kind = random.weighted(FAULTS);
		this.#onFault(`${kind.name} ${when} ${subject}`);
		caller.faults += 1;
		if (kind.error === undefined) return caller.crash();
		reject(new Error(kind.error));
	}
}

const FAULTS = [
	{ name: 'connection lost', weight: 5, error: RETRYABLE },
	{ name: 'final error', weight: 3, error: FINAL },
	{ name: 'crash', weight: 2, error: undefined },
] as const;

/** Nobody receives the result. */
function late({ caller: { id }, call }: Pending): Pending {
	const caller = { id, isCrashed: false, calls: 0, faults: 0, crash: () => undefined };
	return { caller, call, resolve: () => undefined, reject: () => undefined, isLate: true };
}

function allMicrotasks(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
