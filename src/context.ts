import { type Database, openDatabase } from './db/client.ts';
import { openPrimary, openReplica } from './db/sessions.ts';
import type { ClockFacts } from './domain/monitoring/clock.ts';
import { redacted } from './domain/redacted.ts';
import { SOURCES_PER_DAY } from './domain/attribution/source.ts';
import type { TrackedLink } from './domain/attribution/tracked-link.ts';
import { parseSecureAddress } from './domain/web-address.ts';
import type { IsolateCache } from './isolate-cache.ts';
import type { ClickJob, EffectsJob, ProcessorEventsJob, RunJob, WebhooksJob } from './job.ts';
import { type Mailer, openMailer, parsePublicUrl } from './mailer.ts';
import { openSecrets, type Secrets } from './secrets.ts';

/** What every verb works with, whichever door the call came through: fetch, queue or cron. */
export interface Context {
	readonly db: Database;
	/** Only a person's request has it. */
	readonly replica: ReplicaReads | undefined;
	/** ms since the epoch, UTC; read once per invocation. */
	readonly now: number;
	readonly secrets: Secrets;
	readonly clicks: Sender<ClickJob>;
	/** What follows a committed change: effects of tracking, events of a processor that are due, and the next slice of a run. */
	readonly effects: Sender<EffectsJob | ProcessorEventsJob | RunJob>;
	/** What programs' own backends are told: on a queue of its own, for they may be slow. */
	readonly webhooks: Sender<WebhooksJob>;
	/**
	 * The same where the events of a program are: with its database, and the queues whose messages are about that. There is one; who
	 * knows the program before anything of it is read asks here, so that there can be more.
	 */
	in(programId: number): Context;
	/** By `short_link`; only those that were found. */
	readonly links: IsolateCache<TrackedLink>;
	/** Whether an origin is listed by any program, by origin. */
	readonly origins: IsolateCache<boolean>;
	/** Origins that a program was noted to have refused lately, by the program's id. */
	readonly refusedOrigins: IsolateCache<Set<string>>;
	/** What was noted lately of the calls that a program refused, by the hash of its key or by its id. */
	readonly refusals: IsolateCache<string[]>;
	/** Programs whose own domain holds a host, by the host (decision 40). */
	readonly hostOwners: IsolateCache<readonly number[]>;
	/** What signs the webhooks of a program's processor, by the processor and the program's id. */
	readonly signers: IsolateCache<Signer>;
	/** Webhooks whose signature failed lately, by processor, program and kind: how many came, and how many of them are written. */
	readonly signatureFailures: IsolateCache<{ failures: number; written: number }>;
	/** Of programs whose reports were read or whose clicks were stored, by the program's id: as they were then. */
	readonly timeZones: IsolateCache<string>;
	/** The programs that have erased anybody. */
	readonly erasing: IsolateCache<true>;
	/** What was last seen of the clock, under one name. */
	readonly clock: IsolateCache<ClockFacts>;
	readonly settings: {
		readonly signUp: 'open' | 'invite';
		readonly setupToken: string;
		/** Whether a domain counts as a program's only once it is proved (decision 40). */
		readonly needsDomainProof: boolean;
		/** How long the body of a settled processor event is kept. */
		readonly processorPayloadDays: number;
		/** Whether webhooks go to any address, on this machine too: never on a deployed service. */
		readonly takesAnyWebhookAddress: boolean;
		/** How many sources of a day and program are told apart. */
		readonly sourcesPerDay: number;
		/** The service's own origin, where it is told: a caller's may be that of a shop that leads here. */
		readonly publicUrl: string | undefined;
		/** Where alerts are posted to. It may hold a secret. */
		readonly alertWebhook: string | undefined;
		/** How large D1 lets the database become. */
		readonly databaseLimitBytes: number;
	};
	/** Sends a letter by e-mail: defer it, for the answer's time must not tell of it. Undefined where mail is off. */
	readonly mail: Mailer | undefined;
	/** A request to the outside. */
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	/** Work that the answer does not wait for. */
	readonly defer: (work: Promise<unknown>) => void;
	/** A structured line without keys, e-mail addresses or bodies, which names the request that it is of. */
	readonly log: (line: LogLine) => void;
}

/** What a person's request reads beside the primary, and what it answers so that the next request sees at least as much (decision 68). */
export interface ReplicaReads {
	/** Undefined if the request brought no bookmark: then it reads the primary. */
	readonly db: Database | undefined;
	/** The newest state of the database that an answer was read from, or that a write made. Undefined before the first trip. */
	readonly bookmark: () => string | undefined;
}

/** The signing secrets of a program's processor, as they were once: who uses them asks the database whether they still are. */
export interface Signer {
	/** As they are stored. */
	readonly sealedSecrets: string;
	readonly secrets: readonly SigningSecret[];
}

export interface SigningSecret {
	readonly secret: string;
	/** Whether it signs what happens in test mode; undefined where the payloads say so. */
	readonly isTest: boolean | undefined;
	/** Until when it counts, ms: one that another has followed. Undefined: for as long as it is there. */
	readonly until: number | undefined;
}

export interface Sender<Job> {
	send(job: Job, options?: { readonly delaySeconds: number }): Promise<unknown>;
}

export interface LogLine {
	readonly level: 'info' | 'warn' | 'error';
	readonly event: string;
	readonly [field: string]: string | number | boolean | null | undefined;
}

/** Where wrangler.toml names no number. */
const PROCESSOR_PAYLOAD_DAYS = 30;
const DATABASE_LIMIT_GB = 10;

/** What wrangler.toml cannot say: secrets that a deployment may have or not. */
export interface OptionalSecrets {
	/** What a shop's proxy shows for its X-Forwarded-For to count. */
	readonly PROXY_SECRET?: string;
	/** Where alerts are posted to: Slack, Discord, or anything that takes JSON. */
	readonly ALERT_WEBHOOK_URL?: string;
}

const links: Context['links'] = new Map();
const origins: Context['origins'] = new Map();
const refusedOrigins: Context['refusedOrigins'] = new Map();
const refusals: Context['refusals'] = new Map();
const hostOwners: Context['hostOwners'] = new Map();
const signers: Context['signers'] = new Map();
const signatureFailures: Context['signatureFailures'] = new Map();
const timeZones: Context['timeZones'] = new Map();
const erasing: Context['erasing'] = new Map();
const clock: Context['clock'] = new Map();

interface Caller {
	/** Names the request in its lines of the log, or the delivery or tick. */
	readonly requestId?: string;
	/** Whether the request is a person's. Tracking and whatever runs later read and write the primary, without a session. */
	readonly isPerson?: boolean;
	/** How much of the database the person has seen, if that is known. */
	readonly bookmark?: string | undefined;
}

/** The only place that opens bindings. */
export function openContext(
	env: Env & OptionalSecrets,
	execution: Pick<ExecutionContext, 'waitUntil'>,
	now: number = Date.now(),
	{ requestId = crypto.randomUUID(), isPerson = false, bookmark }: Caller = {},
): Context {
	const log = (line: LogLine) => writeLog({ ...line, requestId });
	return {
		...(isPerson ? openSessions(env.DB, bookmark) : { db: openDatabase(env.DB), replica: undefined }),
		now,
		secrets: openSecrets(env.SECRETS),
		clicks: env.CLICKS,
		effects: env.EFFECTS,
		webhooks: env.WEBHOOKS,
		in() {
			return this;
		},
		links,
		origins,
		refusedOrigins,
		refusals,
		hostOwners,
		signers,
		signatureFailures,
		timeZones,
		erasing,
		clock,
		settings: {
			signUp: env.SIGN_UP === 'open' ? 'open' : 'invite',
			setupToken: env.SETUP_TOKEN,
			needsDomainProof: env.DOMAIN_VERIFICATION === 'on' || (env.DOMAIN_VERIFICATION !== 'off' && env.SIGN_UP === 'open'),
			processorPayloadDays: /^\d{1,4}$/.test(env.PROCESSOR_PAYLOAD_DAYS) ? Number(env.PROCESSOR_PAYLOAD_DAYS) : PROCESSOR_PAYLOAD_DAYS,
			takesAnyWebhookAddress: env.WEBHOOK_ADDRESSES === 'any',
			sourcesPerDay: SOURCES_PER_DAY,
			publicUrl: parsePublicUrl(env.PUBLIC_URL),
			alertWebhook: parseAlertWebhook(env.ALERT_WEBHOOK_URL, log),
			databaseLimitBytes: (/^\d{1,5}(\.\d{1,3})?$/.test(env.DATABASE_LIMIT_GB) ? Number(env.DATABASE_LIMIT_GB) : DATABASE_LIMIT_GB) * 1e9,
		},
		mail: openMailer(env, log),
		fetch: (url, init) => fetch(url, init),
		defer: (work) => execution.waitUntil(work),
		log,
	};
}

function openSessions(binding: D1Database, seen: string | undefined): Pick<Context, 'db' | 'replica'> {
	const primary = openPrimary(binding);
	const replica = seen === undefined ? undefined : openReplica(binding, seen);
	return {
		db: openDatabase(primary),
		replica: {
			db: replica && openDatabase(replica),
			// A replica's answer may be older than what the primary said about the caller. Only what was shown counts.
			bookmark: () => (replica?.isRead() ? replica.bookmark() : primary.bookmark()),
		},
	};
}

/** Said once for each isolate: it would be in the log with every request. */
let isWebhookRefused = false;

/** Undefined where there is none, or it is no address to send a secret to. */
function parseAlertWebhook(setting: string | undefined, log: Context['log']): string | undefined {
	if (setting === undefined || setting === '') return undefined;
	const url = parseSecureAddress(setting);
	if (url) return url.href;
	if (!isWebhookRefused) log({ level: 'error', event: 'alert_webhook_is_off', reason: 'ALERT_WEBHOOK_URL is no https address' });
	isWebhookRefused = true;
	return undefined;
}

/** Where there may be no Context yet; else use `ctx.log`. */
export function writeLog(line: LogLine): void {
	console[line.level](JSON.stringify(line));
}

/**
 * The name and message of a fault, for a log line. D1's messages hold names of tables and columns, never values; what others may
 * hold of people and secrets is taken out.
 */
export function describeFault(error: unknown): { error: string; cause: string | null } {
	if (!(error instanceof Error)) return { error: typeof error, cause: null };
	// Drizzle's own message repeats the query's parameters, which may be personal; its cause does not.
	const message = error.message.startsWith('Failed query') ? 'Failed query' : error.message;
	return { error: redacted(`${error.name}: ${message}`), cause: error.cause instanceof Error ? redacted(error.cause.message) : null };
}
