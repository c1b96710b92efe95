import { type Database, openDatabase } from './db/client.ts';
import { SOURCES_PER_DAY } from './domain/source.ts';
import type { TrackedLink } from './domain/tracked-link.ts';
import type { IsolateCache } from './isolate-cache.ts';
import type { ClickJob, EffectsJob, ProcessorEventsJob } from './job.ts';
import { type Mailer, openMailer, parsePublicUrl } from './mailer.ts';
import { openSecrets, type Secrets } from './secrets.ts';

/** What every verb works with, whichever door the call came through: fetch, queue or cron. */
export interface Context {
	readonly db: Database;
	/** ms since the epoch, UTC; read once per invocation. */
	readonly now: number;
	readonly secrets: Secrets;
	readonly clicks: Sender<ClickJob>;
	/** What follows a committed change: effects of tracking, and events of a processor that are due. */
	readonly effects: Sender<EffectsJob | ProcessorEventsJob>;
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
	/** Of programs whose reports were read or whose clicks were stored, by the program's id: as they were then. */
	readonly timeZones: IsolateCache<string>;
	/** The programs that have erased anybody. */
	readonly erasing: IsolateCache<true>;
	readonly settings: {
		readonly signUp: 'open' | 'invite';
		readonly setupToken: string;
		/** Whether a domain counts as a program's only once it is proved (decision 40). */
		readonly needsDomainProof: boolean;
		/** How long the body of a settled processor event is kept. */
		readonly processorPayloadDays: number;
		/** How many sources of a day and program are told apart. */
		readonly sourcesPerDay: number;
		/** The service's own origin, where it is told: a caller's may be that of a shop that leads here. */
		readonly publicUrl: string | undefined;
	};
	/** Sends a letter by e-mail: defer it, for the answer's time must not tell of it. Undefined where mail is off. */
	readonly mail: Mailer | undefined;
	/** A request to the outside. */
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	/** Work that the answer does not wait for. */
	readonly defer: (work: Promise<unknown>) => void;
	/** A structured line without keys, e-mail addresses or bodies. */
	readonly log: (line: LogLine) => void;
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
	send(job: Job): Promise<unknown>;
}

export interface LogLine {
	readonly level: 'info' | 'warn' | 'error';
	readonly event: string;
	readonly [field: string]: string | number | boolean | null | undefined;
}

/** Where wrangler.toml names no number. */
const PROCESSOR_PAYLOAD_DAYS = 30;

const links: Context['links'] = new Map();
const origins: Context['origins'] = new Map();
const refusedOrigins: Context['refusedOrigins'] = new Map();
const refusals: Context['refusals'] = new Map();
const hostOwners: Context['hostOwners'] = new Map();
const signers: Context['signers'] = new Map();
const timeZones: Context['timeZones'] = new Map();
const erasing: Context['erasing'] = new Map();

/** The only place that opens bindings. */
export function openContext(env: Env, execution: Pick<ExecutionContext, 'waitUntil'>, now: number = Date.now()): Context {
	return {
		db: openDatabase(env.DB),
		now,
		secrets: openSecrets(env.SECRETS),
		clicks: env.CLICKS,
		effects: env.EFFECTS,
		links,
		origins,
		refusedOrigins,
		refusals,
		hostOwners,
		signers,
		timeZones,
		erasing,
		settings: {
			signUp: env.SIGN_UP === 'open' ? 'open' : 'invite',
			setupToken: env.SETUP_TOKEN,
			needsDomainProof: env.DOMAIN_VERIFICATION === 'on' || (env.DOMAIN_VERIFICATION !== 'off' && env.SIGN_UP === 'open'),
			processorPayloadDays: /^\d{1,4}$/.test(env.PROCESSOR_PAYLOAD_DAYS) ? Number(env.PROCESSOR_PAYLOAD_DAYS) : PROCESSOR_PAYLOAD_DAYS,
			sourcesPerDay: SOURCES_PER_DAY,
			publicUrl: parsePublicUrl(env.PUBLIC_URL),
		},
		mail: openMailer(env, writeLog),
		fetch: (url, init) => fetch(url, init),
		defer: (work) => execution.waitUntil(work),
		log: writeLog,
	};
}

/** For the one fault that comes before there is a Context; else use `ctx.log`. */
export function writeLog(line: LogLine): void {
	console[line.level](JSON.stringify(line));
}

/** The name and message of a fault, for a log line. D1's messages hold names of tables and columns, never values. */
export function describeFault(error: unknown): { error: string; cause: string | null } {
	if (!(error instanceof Error)) return { error: typeof error, cause: null };
	// Drizzle's own message repeats the query's parameters, which may be personal; its cause does not.
	const message = error.message.startsWith('Failed query') ? 'Failed query' : error.message;
	return { error: `${error.name}: ${message}`, cause: error.cause instanceof Error ? error.cause.message : null };
}
