import type { DatabaseSync } from 'node:sqlite';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/client.ts';
import { openSecrets } from '../../src/secrets.ts';
import { openBucket } from '../../testing/bucket.ts';
import { type Call, openD1, openSqlite, Statements } from '../../testing/d1/look-alike.ts';
import { Account, type ProcessorName } from './account.ts';
import { type Answer, Journal, type Request, type Verbs } from './journal.ts';
import { Network } from './network.ts';
import { runTraced } from './platform.ts';
import { QUEUES, Queues } from './queue.ts';
import { Random } from '../../testing/random.ts';
import { RowReader } from './row-reader.ts';
import type { Rows } from './rows.ts';
import { Erased } from './erased.ts';
import { outcomeIn } from './outcome-in.ts';
import { isInjected, Schedule } from './schedule.ts';
import { StoredClicks } from './stored-clicks.ts';
import type { Theme } from './theme.ts';
import { unreliable } from './unreliable-bucket.ts';
import { Violation } from './violation.ts';
import { seedWebhooks } from './seed-webhooks.ts';
import { LONGEST_REQUEST_MS, type Program, SECRET, seedWorld, SOURCES_PER_DAY, START } from './world.ts';
import { describe, refusalOf } from './refusals.ts';

/** Requests stay far below this, even with retries, unless one repeats the same decision forever. */
const CALL_LIMIT = 60;
/** Repairs that the crons must never need to make. */
const NEVER_LOGGED = ['daily_row_repaired', 'breakdown_row_repaired', 'commission_sums_repaired', 'breakdown_month_differs'];
/** The share of histories without a bucket, where old clicks are deleted. */
const NO_BUCKET_SHARE = 0.25;
const LATENESSES_MS = [0, 0, 1, 50, 1_000, LONGEST_REQUEST_MS] as const;

/** A process's database with the seeded world. Each history is rolled back. */
export class Ground {
	readonly sqlite: DatabaseSync;
	readonly statements: Statements;
	readonly reader: RowReader;
	readonly untouched: Rows;

	constructor(rewrite?: (file: string, sql: string) => string) {
		this.sqlite = openSqlite(rewrite);
		seedWorld(this.sqlite);
		seedWebhooks(this.sqlite);
		this.statements = new Statements(this.sqlite);
		this.reader = new RowReader(this.sqlite);
		this.untouched = this.reader.all();
		this.sqlite.exec('BEGIN');
	}

	async undone<Result>(history: () => Promise<Result>): Promise<Result> {
		this.sqlite.exec('SAVEPOINT history');
		try {
			return await history();
		} finally {
			this.sqlite.exec('ROLLBACK TO history; RELEASE history');
		}
	}
}

/** A click id that may be sent again. */
export interface Visit {
	readonly clickId: string;
	readonly linkId: number;
	readonly clickedAt: number;
	readonly isTest: boolean;
}

/** The rules and memberships at one instant of a step. */
export interface Circumstances {
	readonly rules: Rows['rules'];
	readonly memberships: Rows['memberships'];
}

export class Simulation {
	readonly ground: Ground;
	readonly theme: Theme;
	readonly #processors: readonly ProcessorName[];
	readonly journal = new Journal();
	readonly queues = new Queues();
	readonly schedule: Schedule;
	readonly visits = new Map<string, Visit>();
	readonly issuedClicks = new Map<string, Visit>();
	readonly counts = new Map<string, number>();
	readonly account = new Account();
	readonly erased = new Erased();
	readonly clicks: StoredClicks;
	readonly network: Network;
	now = START;
	step = -1;
	firstOfStep = 0;
	rows: Rows;
	before: Rows;
	circumstances: Circumstances[] = [];
	/** Most names in a race share this number. */
	focus: number | undefined;
	/** Draws how long before its first call a request started. */
	slowness: Random | undefined;
	readonly #links: Context['links'] = new Map();
	readonly #timeZones: Context['timeZones'] = new Map();
	readonly #erasing: Context['erasing'] = new Map();
	readonly #origins: Context['origins'] = new Map();
	readonly #refusedOrigins: Context['refusedOrigins'] = new Map();
	readonly #touched = new Set<keyof Rows>();
	readonly #complaints: string[] = [];

	constructor(ground: Ground, theme: Theme, processors: readonly ProcessorName[], seed: number) {
		this.ground = ground;
		this.theme = theme;
		this.#processors = processors;
		this.rows = ground.untouched;
		this.before = this.rows;
		this.network = new Network(ground.sqlite, seed, (what) => this.count(what));
		this.clicks = new StoredClicks(new Random(seed).chance(NO_BUCKET_SHARE) ? undefined : openBucket(), (what) => this.count(what));
		this.schedule = new Schedule(
			(fault) => this.count(`fault: ${fault}`),
			(call) => this.#noteCommit(call),
		);
	}

	processorOf({ id }: Program): ProcessorName {
		return this.#processors[id - 1] ?? 'stripe';
	}

	count(what: string): void {
		this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
	}

	beginStep(): void {
		this.step += 1;
		this.firstOfStep = this.journal.requests.length;
		this.before = this.rows;
		this.circumstances = [{ rules: this.rows.rules, memberships: this.rows.memberships }];
	}

	/** Reads the rows again if anything was written, and returns whether it was. */
	endStep(): boolean {
		if (this.#complaints[0] !== undefined) throw new Violation('no fault without a cause', this.#complaints[0]);
		if (this.#touched.size === 0) return false;
		this.rows = this.#readTouched();
		this.#touched.clear();
		return true;
	}

	/** Runs one request until it gets a response, crashes or hits a fault. */
	async request<Kind extends keyof Verbs>(
		kind: Kind,
		params: Verbs[Kind]['params'],
		verb: (ctx: Context) => Promise<Verbs[Kind]['receipt']>,
	): Promise<Request<Kind>> {
		const { promise: crashed, resolve } = Promise.withResolvers<Answer<never>>();
		const request: Request<Kind> = {
			kind,
			params,
			id: this.journal.requests.length,
			step: this.step,
			now: this.now - (this.slowness?.pick(LATENESSES_MS) ?? 0),
			opIds: [],
			isCrashed: false,
			calls: 0,
			faults: 0,
			answer: undefined,
			sawFirst: undefined,
			saw: undefined,
			hasReportedFault: false,
			crash() {
				this.isCrashed = true;
				resolve({ state: 'crashed' });
			},
		};
		if ('person' in params && params.person.by === 'clickId') this.erased.noteRequest(params.person.id);
		this.journal.requests.push(request);
		const ctx = this.#contextOf(request);
		const answered = runTraced(request, () => verb(ctx)).then(
			(receipt): Answer<Verbs[Kind]['receipt']> => ({ state: 'answered', receipt }),
			(error: unknown) => refusalOf(error),
		);
		request.answer = await Promise.race([answered, crashed]);
		this.#note(request);
		return request;
	}

	#note({ kind, answer, faults, calls, params, hasReportedFault }: Request): void {
		if (!answer) return;
		if (calls > CALL_LIMIT && !['deliver', 'tick', 'verify'].includes(kind))
			this.#complaints.push(`${kind} ${JSON.stringify(params)} made ${calls} calls`);
		const detail = answer.state === 'rejected' ? ` ${answer.rejection.code}` : answer.state === 'answered' ? outcomeIn(answer.receipt) : '';
		this.count(`${kind}: ${answer.state}${detail}`);
		if (answer.state === 'faulted' && !(faults > 0 && (hasReportedFault || isInjected(describe(answer.error))))) {
			this.#complaints.push(`${kind} ${JSON.stringify(params)} answered ${describe(answer.error)} although no injected fault explains it`);
		}
	}

	#contextOf(request: Request): Context {
		return {
			db: openDatabase(openD1(this.ground.statements, (call) => this.schedule.enter(request, this.#witnessed(request, call)))),
			replica: undefined,
			now: request.now,
			secrets: openSecrets(SECRET),
			clicks: this.queues.sender(QUEUES.clicks, request, this.schedule),
			effects: this.queues.sender(QUEUES.effects, request, this.schedule),
			webhooks: this.#senderOfPostbacks(request),
			clickFiles: this.#bucketOf(request),
			in() {
				return this;
			},
			links: this.#links,
			origins: this.#origins,
			refusedOrigins: this.#refusedOrigins,
			refusals: new Map(),
			hostOwners: new Map(),
			signers: new Map(),
			signatureFailures: new Map(),
			timeZones: this.#timeZones,
			erasing: this.#erasing,
			clock: new Map(),
			settings: {
				signUp: 'open',
				setupToken: '',
				needsDomainProof: false,
				processorPayloadDays: 30,
				takesAnyWebhookAddress: false,
				sourcesPerDay: SOURCES_PER_DAY,
				publicUrl: undefined,
				alertWebhook: undefined,
				databaseLimitBytes: 10e9,
			},
			mail: undefined,
			fetch: (url) => this.schedule.enter(request, { statements: ['call'], isWrite: true, run: () => this.network.called(url) }),
			defer: (work) => void work.catch(() => undefined),
			log: (line) => {
				const isError = line.level === 'error' && line.event !== 'dead_letter_kept';
				const isOfFault = isInjected(JSON.stringify(line));
				request.hasReportedFault ||= isError && isOfFault;
				if ((isError && !isOfFault) || NEVER_LOGGED.includes(line.event)) this.#complaints.push(JSON.stringify(line));
			},
		};
	}

	#bucketOf(request: Request): Context['clickFiles'] {
		const { bucket, isBound } = this.clicks;
		if (!bucket || !isBound) return undefined;
		return unreliable(bucket, (call) => this.schedule.enter(request, this.#witnessed(request, call)));
	}

	/** Sends no webhooks: deliveries stay as snapshots. */
	#senderOfPostbacks(request: Request): Context['webhooks'] {
		const { send } = this.queues.sender(QUEUES.webhooks, request, this.schedule);
		return { send: async (job) => (job.channel === 'postbacks' ? send(job) : undefined) };
	}

	/** Records the rows at each read of a report, and who may be erased. */
	#witnessed<Answered>(request: Request, call: Call<Answered>): Call<Answered> {
		const { kind } = request;
		const mayErase = call.isWrite && (kind === 'erase' || (kind === 'tick' && this.journal.of('erase').length > 0));
		// Only reads count: a late write has not read anything.
		const isLook = !call.isWrite && (kind === 'report' || kind === 'summary' || kind === 'portal');
		if (!mayErase && !isLook) return call;
		return {
			...call,
			run: () => {
				if (isLook) {
					request.saw = this.#readTouched();
					request.sawFirst ??= request.saw;
				} else this.erased.note(this.#withRetired(this.ground.reader.refresh(this.rows, ['customers', 'clicks', 'sales', 'refunds'])));
				return call.run();
			},
		};
	}

	#readTouched(): Rows {
		const read = this.ground.reader.refresh(this.rows, this.#touched);
		return this.erased.restored(this.#touched.has('clicks') ? this.#withRetired(read) : read, this.#touched);
	}

	/** Just after its clicks were read from the table. */
	#withRetired(read: Rows): Rows {
		return { ...read, clicks: this.clicks.withRetired(read.clicks) };
	}

	#noteCommit(call: Call): void {
		for (const statement of call.statements) for (const name of this.ground.reader.touchedBy(statement)) this.#touched.add(name);
		if (call.statements[0] === 'put') this.#touched.add('clicks');
		if (call.statements.some((statement) => this.ground.reader.touchedBy(statement).includes('clicks')))
			this.clicks.note(this.ground.reader.refresh(this.rows, ['clicks', 'customers']), this.now);
		if (this.#touched.has('rules') || this.#touched.has('memberships')) {
			const { rules, memberships } = this.ground.reader.refresh(this.rows, ['rules', 'memberships']);
			this.circumstances.push({ rules, memberships });
		}
	}
}
