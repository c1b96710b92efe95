import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';
import { readToml, toToml } from './toml.ts';
import { isList, isTable, mergeThreeWay, type Table, type Value } from './merge.ts';

// wrangler.deploy.toml is wrangler.toml plus this account's settings. Each deployment rewrites it and also stores the wrangler.toml it was
// based on. Settings that differ from that base are the operator's, and are kept.

export const DEPLOY_FILE = join(ROOT, 'wrangler.deploy.toml');
export const DEFAULT_NAME = 'affiliate-tracker';

/** The binding of the bucket for retired clicks. */
export const CLICK_FILES = 'CLICK_FILES';

const HEAD = `# Written by npm run deploy from wrangler.toml and your answers. Your changes here are kept; the rest follows wrangler.toml.
# Pass it to wrangler with --config: npx wrangler tail --config wrangler.deploy.toml
`;
/** The start of the line that stores the base. */
const BASE_MARK = '#= ';
/** Settings that contain paths, relative to the config file's folder. */
const PATHS = [['main'], ['assets', 'directory'], ['d1_databases', 'migrations_dir']] as const;

const Text = z.string();
/** The settings that the deployment reads. wrangler validates the rest. */
const Read = z.object({
	name: Text,
	account_id: z.optional(Text),
	vars: z.record(Text, z.unknown()),
	d1_databases: z.tuple([z.object({ binding: z.literal('DB'), database_name: Text, database_id: z.optional(Text) })]),
	queues: z.object({
		producers: z.array(z.object({ queue: Text })),
		consumers: z.array(z.object({ queue: Text, dead_letter_queue: z.optional(Text) })),
	}),
	r2_buckets: z.optional(z.array(z.object({ binding: Text, bucket_name: z.optional(Text), jurisdiction: z.optional(Text) }))),
	secrets: z.object({ required: z.array(Text) }),
	routes: z.optional(z.array(z.union([Text, z.object({ pattern: Text, custom_domain: z.optional(z.boolean()) })]))),
});

export interface DeployFile {
	readonly config: Table;
	/** wrangler.toml at the time the file was written; empty if the file does not store it. */
	readonly base: Table;
	/** The commit of the last deployment that used this file. */
	readonly commit?: string | undefined;
	/** Where to create a new database. */
	readonly location?: string | undefined;
}

/** The contents of the stored line in a deploy file. */
const Extras = z.object({ base: z.optional(z.custom<Table>()), commit: z.optional(Text), location: z.optional(Text) });

/** An R2 bucket. Each jurisdiction has its own names. */
export interface BucketName {
	readonly name: string;
	readonly jurisdiction?: string | undefined;
}

export function readConfig(config: Table) {
	const { data, error } = Read.safeParse(config);
	if (!data) throw new Failure(`wrangler would reject this configuration:\n${z.prettifyError(error)}`);
	const bucket = data.r2_buckets?.find(({ binding }) => binding === CLICK_FILES);
	return {
		name: data.name,
		accountId: data.account_id,
		vars: data.vars,
		database: { name: data.d1_databases[0].database_name, id: data.d1_databases[0].database_id },
		queues: [
			...new Set([
				...data.queues.consumers.flatMap(({ queue, dead_letter_queue: deadLetters }) => [...(deadLetters ? [deadLetters] : []), queue]),
				...data.queues.producers.map(({ queue }) => queue),
			]),
		],
		clickBucket: bucket?.bucket_name === undefined ? undefined : { name: bucket.bucket_name, jurisdiction: bucket.jurisdiction },
		requiredSecrets: data.secrets.required,
		customDomains: (data.routes ?? []).flatMap((route) => (typeof route !== 'string' && route.custom_domain ? [route.pattern] : [])),
	};
}

/** The service's public URL in that file. */
export function urlIn({ config }: DeployFile): string {
	return String(readConfig(config).vars['PUBLIC_URL']);
}

/** wrangler.toml for a Worker with that name, with paths relative to that file. */
export function templateFor(wranglerToml: string, name: string, file: string): Table {
	const { env: _dev, ...top } = readToml(wranglerToml);
	return named(
		name,
		PATHS.reduce((config, path) => movedTo(dirname(file), config, path), top),
	);
}

/** Queues and rate limits belong to the account, so two services in one account need separate ones. */
function named(name: string, config: Table): Table {
	if (name === DEFAULT_NAME) return config;
	const shift = createHash('sha256').update(name).digest().readUInt16BE() * 10_000;
	const rename = (value: Value, key = ''): Value => {
		if (isList(value)) return value.map((item) => rename(item));
		if (isTable(value)) return Object.fromEntries(Object.entries(value).map(([inner, item]) => [inner, rename(item, inner)]));
		if (typeof value !== 'string') return value;
		if (key === 'namespace_id') return String(Number(value) + shift);
		if (key === 'queue' || key === 'dead_letter_queue') return value.replace(/^affiliate-/, `${name}-`);
		return key === 'database_name' ? name : value;
	};
	return { ...Object.fromEntries(Object.entries(config).map(([key, value]) => [key, rename(value, key)])), name };
}

function movedTo(folder: string, table: Table, [key, ...inner]: readonly string[]): Table {
	const value = key === undefined ? undefined : table[key];
	if (key === undefined || value === undefined) return table;
	if (typeof value === 'string') return { ...table, [key]: relative(folder, resolve(ROOT, value)).replaceAll('\\', '/') || '.' };
	if (isList(value)) return { ...table, [key]: value.map((item) => (isTable(item) ? movedTo(folder, item, inner) : item)) };
	return isTable(value) ? { ...table, [key]: movedTo(folder, value, inner) } : table;
}

export function readDeployFile(file: string): DeployFile | undefined {
	if (!existsSync(file)) return undefined;
	const text = readFileSync(file, 'utf8');
	const line = text.split('\n').find((candidate) => candidate.startsWith(BASE_MARK));
	const { base = {}, ...extras } = line === undefined ? {} : extrasIn(line.slice(BASE_MARK.length), file);
	return { config: readToml(file), base, ...extras };
}

function extrasIn(json: string, file: string): z.infer<typeof Extras> {
	try {
		return Extras.parse(JSON.parse(json));
	} catch {
		throw new Failure(
			`${file}: the line that begins with "${BASE_MARK.trim()}" is damaged. Delete it: then every difference from wrangler.toml counts as your change.`,
		);
	}
}

/** The operator's file merged with the current wrangler.toml. */
export function updated({ config, base }: DeployFile, template: Table): Table {
	return mergeThreeWay(base, config, template);
}

export function textOf({ config, ...extras }: DeployFile): string {
	return `${HEAD}${toToml(config)}
# wrangler.toml as it was then, to recognize your changes:
${BASE_MARK}${JSON.stringify(extras)}
`;
}

export function writeDeployFile(file: string, content: DeployFile): void {
	writeFileSync(file, textOf(content));
}
