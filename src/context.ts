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

/** What every operation receives, whether it runs for a request, a queue or cron. */
export interface Context {
	readonly db: Database;
	/** Set only for a person's request. */
	readonly replica: ReplicaReads | undefined;
	/** ms since the epoch, UTC; read once per invocation. */
	readonly now: number;
	readonly secrets: Secrets;
	readonly clicks: Sender<ClickJob>;
	/** Work that follows a committed change: effects of tracking, due processor events and the next slice of a run. */
	readonly effects: Sender<EffectsJob | ProcessorEventsJob | RunJob>;
	/** Deliveries to programs' backends may be slow, so they have their own queue. */
	readonly webhooks: Sender<WebhooksJob>;
	/** Retired clicks. Undefined if no bucket is bound. */
	readonly clickFiles: Bucket | undefined;
	/**
	 * The context for a program's events. Today the same one; callers use it so that programs can later be spread over several databases.
	 */
	in(programId: number): Context;
	/** Keyed by `short_link`; contains only links that were found. */
	readonly links: IsolateCache<TrackedLink>;
	/** Whether any program lists the origin. */
	readonly origins: IsolateCache<boolean>;
	/** Origins whose refusal was recorded recently, keyed by program id. */
	readonly refusedOrigins: IsolateCache<Set<string>>;
	/** Refusals that were recorded recently, keyed by key hash or program id. */
	readonly refusals: IsolateCache<string[]>;
	/** Programs whose domain covers the host (decision 40). */
	readonly hostOwners: IsolateCache<readonly number[]>;
	/** Keyed by processor and program id. */
	readonly signers: IsolateCache<Signer>;
	/** Recent signature failures, and how many of them have been written; keyed by processor, program and kind. */
	readonly signatureFailures: IsolateCache<{ failures: number; written: number }>;
	/** Keyed by program id. */
	readonly timeZones: IsolateCache<string>;
	/** Programs that have erased anybody. */
	readonly erasing: IsolateCache<true>;
	/** The last result of reading the clock, under a single key. */
	readonly clock: IsolateCache<ClockFacts>;
	readonly settings: {
		readonly signUp: 'open' | 'invite';
		readonly setupToken: string;
		/** Whether a domain belongs to a program only after its proof (decision 40). */
		readonly needsDomainProof: boolean;
		/** Days to keep the body of a settled processor event. */
		readonly processorPayloadDays: number;
		/** Allows webhooks to any URL, including on this machine. Never set on a deployed service. */
		readonly takesAnyWebhookAddress: boolean;
		readonly sourcesPerDay: number;
		/** The configured origin, because a request's origin may be a shop's proxy. */
		readonly publicUrl: string | undefined;
		/** The URL may contain a secret. */
		readonly alertWebhook: string | undefined;
		readonly databaseLimitBytes: number;
	};
	/** Undefined if mail is off. Defer the call, so that the response time does not show whether an email was sent. */
	readonly mail: Mailer | undefined;
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	/** Runs work after the response. */
	readonly defer: (work: Promise<unknown>) => void;
	/** Adds the request's id. Never log keys, email addresses or bodies. */
	readonly log: (line: LogLine) => void;
}

/** The replica for a person's request, and the bookmark for their next one (decision 68). */
export interface ReplicaReads {
	/** Undefined without a bookmark: the request reads the primary. */
	readonly db: Database | undefined;
	/** The newest state that was read or written. Undefined before the first round trip. */
	readonly bookmark: () => string | undefined;
}

/** Cached signing secrets. Before use, check with the database that they are current. */
export interface Signer {
	/** The stored form of `secrets`. */
	readonly sealedSecrets: string;
	readonly secrets: readonly SigningSecret[];
}

export interface SigningSecret {
	readonly secret: string;
	/** Undefined if the payload itself says whether it is a test. */
	readonly isTest: boolean | undefined;
	/** When a replaced secret expires, ms; undefined for never. */
	readonly until: number | undefined;
}

export interface Sender<Job> {
	send(job: Job, options?: { readonly delaySeconds: number }): Promise<unknown>;
}

export type Bucket = Pick<R2Bucket, 'get' | 'put' | 'list'>;

export interface LogLine {
	readonly level: 'info' | 'warn' | 'error';
	readonly event: string;
	readonly [field: string]: string | number | boolean | null | undefined;
}

/** Defaults for settings that are missing in wrangler.toml. */
const PROCESSOR_PAYLOAD_DAYS = 30;
const DATABASE_LIMIT_GB = 10;

/** A deployed service may lack these. */
export interface OptionalBindings {
	/** A shop's proxy sends it so that its X-Forwarded-For header is trusted. */
	readonly PROXY_SECRET?: string;
	/** Missing if the operator has chosen no bucket. */
	readonly CLICK_FILES?: R2Bucket | undefined;
	/** Receives alerts: Slack, Discord, or anything that takes JSON. */
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
	/** Appears in log lines. */
	readonly requestId?: string;
	/** Tracking and jobs use the primary without a session. */
	readonly isPerson?: boolean;
	/** The database state that the person has already seen. */
	readonly bookmark?: string | undefined;
}

/** The only code that opens bindings. */
export function openContext(
	env: Omit<Env, keyof OptionalBindings> & OptionalBindings,
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
		clickFiles: env.CLICK_FILES,
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
			// A replica may lag behind the primary that checked the caller. The bookmark covers only the data that was shown.
			bookmark: () => (replica?.isRead() ? replica.bookmark() : primary.bookmark()),
		},
	};
}

/** Logs once per isolate, not once per request. */
let isWebhookRefused = false;

/** Undefined if the setting is missing or not an https URL. */
function parseAlertWebhook(setting: string | undefined, log: Context['log']): string | undefined {
	if (setting === undefined || setting === '') return undefined;
	const url = parseSecureAddress(setting);
	if (url) return url.href;
	if (!isWebhookRefused) log({ level: 'error', event: 'alert_webhook_is_off', reason: 'ALERT_WEBHOOK_URL is not an https URL' });
	isWebhookRefused = true;
	return undefined;
}

/** For code without a Context; otherwise use `ctx.log`. */
export function writeLog(line: LogLine): void {
	console[line.level](JSON.stringify(line));
}

/** Redacts personal data and secrets for a log line. */
export function describeFault(error: unknown): { error: string; cause: string | null } {
	if (!(error instanceof Error)) return { error: typeof error, cause: null };
	// Drizzle's message repeats the parameters, which may be personal. The cause does not.
	const message = error.message.startsWith('Failed query') ? 'Failed query' : error.message;
	return { error: redacted(`${error.name}: ${message}`), cause: error.cause instanceof Error ? redacted(error.cause.message) : null };
}
