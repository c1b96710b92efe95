// A synchronous WebCrypto, which must be loaded before anything in src/.
import '../../simulation/world/platform.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/client.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { Rejection } from '../../src/domain/rejection.ts';
import type { Job, ProcessorEventsJob } from '../../src/job.ts';
import { tick } from '../../src/jobs/tick.ts';
import { processEvents } from '../../src/processor/process-events.ts';
import { receiveProcessorEvent } from '../../src/processor/receive-processor-event.ts';
import { openSecrets } from '../../src/secrets.ts';
import { recordClick } from '../../src/clicks/record-click.ts';
import { recordLead } from '../../src/leads/record-lead.ts';
import { type Gate, openD1, openSqlite, Statements } from '../../testing/d1/look-alike.ts';
import { isInjected } from '../../simulation/world/schedule.ts';
import { SECRET, secretOf, seedWorld, START, WORLD } from '../../simulation/world/world.ts';
import { signed } from '../../testing/stripe/sign.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';

// Runs the service in plain Node on the simulation's D1. Each order of events takes only milliseconds, so every order can be tried. A sale
// earns 20 %.

const [PROGRAM] = WORLD.programs;
if (!PROGRAM) throw new Error('The world has a program');

export const CUSTOMER = 'customer-1';
export const PROGRAM_ID = PROGRAM.id;
export const KEY_HASH = PROGRAM.keyHash;

export class Sandbox {
	now = START;
	/** Undelivered messages about inbox events. */
	messages: ProcessorEventsJob[] = [];
	readonly sqlite: DatabaseSync = openSqlite();
	readonly #statements = new Statements(this.sqlite);
	readonly #signed = new WeakMap<StripeEvent, ReturnType<typeof signed>>();

	/** The world with a customer who used a partner's link and signed up. */
	static async open(): Promise<Sandbox> {
		const sandbox = new Sandbox();
		seedWorld(sandbox.sqlite);
		const page = { pageUrl: null, pageTitle: null, referrerUrl: null, sessionId: null, userAgent: null, language: null };
		const click = { affiliateUrl: 'https://shop.example/?aff=ann', isTest: false, existingClickId: undefined };
		const ctx = sandbox.context();
		const { clickId } = await recordClick(ctx, { ...click, page: { ...page, timezone: null, country: null } }, undefined);
		const lead = { clickId, customerKey: CUSTOMER, email: undefined, isTest: false };
		await recordLead(ctx, lead, { mode: 'server', keyHash: KEY_HASH });
		sandbox.messages = [];
		sandbox.now += HOUR_MS;
		return sandbox;
	}

	async undone<Result>(work: () => Promise<Result>): Promise<Result> {
		const { now } = this;
		this.sqlite.exec('BEGIN');
		try {
			return await work();
		} finally {
			this.sqlite.exec('ROLLBACK');
			this.now = now;
			this.messages = [];
		}
	}

	context(gate?: Gate): Context {
		// Notifications about sales are not part of the books.
		const keep = { send: async (job: Job) => void (job.kind === 'processor_events' && this.messages.push(job)) };
		return {
			db: openDatabase(openD1(this.#statements, gate)),
			replica: undefined,
			now: this.now,
			secrets: openSecrets(SECRET),
			clicks: keep,
			effects: keep,
			webhooks: keep,
			clickFiles: undefined,
			in() {
				return this;
			},
			links: new Map(),
			origins: new Map(),
			refusedOrigins: new Map(),
			refusals: new Map(),
			hostOwners: new Map(),
			signers: new Map(),
			signatureFailures: new Map(),
			timeZones: new Map(),
			erasing: new Map(),
			clock: new Map(),
			settings: {
				signUp: 'open',
				setupToken: '',
				needsDomainProof: false,
				processorPayloadDays: 30,
				takesAnyWebhookAddress: false,
				sourcesPerDay: 1_000,
				publicUrl: undefined,
				alertWebhook: undefined,
				databaseLimitBytes: 10e9,
			},
			mail: undefined,
			fetch: () => Promise.reject(new Error('No request leaves this process')),
			defer: (work) => void work.catch(() => undefined),
			log: (line) => {
				if (line.level === 'error' && !isInjected(JSON.stringify(line))) throw new Error(JSON.stringify(line));
			},
		};
	}

	async receive(event: StripeEvent, gate?: Gate): Promise<void> {
		const delivery = this.#signed.get(event) ?? signed(event, PROGRAM ? secretOf(PROGRAM, 'stripe') : '', this.now);
		this.#signed.set(event, delivery);
		const { body, header } = delivery;
		const sent = { payload: new TextEncoder().encode(body), header: () => header };
		await receiveProcessorEvent(this.context(gate), { processor: 'stripe', programId: PROGRAM_ID }, sent);
	}

	/** Delivers all messages, including those they cause. */
	async work(): Promise<void> {
		for (let job = this.messages.shift(); job; job = this.messages.shift()) await this.process(job);
	}

	async process({ ids }: ProcessorEventsJob, gate?: Gate): Promise<void> {
		await processEvents(this.context(gate), ids);
	}

	/** Runs ticks for up to a day, until every event is settled and no commission is missing. */
	async comeToRest(): Promise<void> {
		await this.work();
		for (let minutes = 1; minutes <= 1024 && this.isAnyOpen(); minutes *= 2) {
			this.now += minutes * MINUTE_MS;
			await tick(this.context());
			await this.work();
		}
	}

	isAnyOpen(): boolean {
		const open = `SELECT 1 FROM processor_events WHERE settled_at IS NULL
			UNION ALL SELECT 1 FROM affiliate_sale_events WHERE commission_state = 'failed'`;
		return this.rows(open).length > 0;
	}

	rows(sql: string): Record<string, unknown>[] {
		return this.sqlite
			.prepare(sql)
			.all()
			.map((row) => ({ ...row }));
	}
}

/** The result, or the code of the refusal. */
export async function answerOf(verb: Promise<unknown>): Promise<unknown> {
	return verb.catch((error: unknown) => {
		if (error instanceof Rejection) return error.code;
		throw error;
	});
}
