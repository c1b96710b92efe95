import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';
import { readToml, toToml } from './toml.ts';
import { isList, isTable, mergeThreeWay, type Table, type Value } from './merge.ts';

// wrangler.deploy.toml: wrangler.toml with what is this account's own. It is written anew by each deployment, so it carries with
// it what wrangler.toml said the last time: whatever differs from that is the operator's, and stays.

export const DEPLOY_FILE = join(ROOT, 'wrangler.deploy.toml');
/** What wrangler.toml calls the Worker. */
export const DEFAULT_NAME = 'affiliate-tracker';

const HEAD = `# Made by npm run deploy of wrangler.toml and of your answers. What you change here is kept; the rest follows wrangler.toml.
# wrangler commands take it by --config: npx wrangler tail --config wrangler.deploy.toml
`;
/** In front of the line that says what wrangler.toml said. */
const BASE_MARK = '#= ';
/** What of a config names files, which it does from its own folder. */
const PATHS = [['main'], ['assets', 'directory'], ['d1_databases', 'migrations_dir']] as const;

const Text = z.string();
/** What the deployment reads of it. wrangler checks the rest. */
const Read = z.object({
	name: Text,
	account_id: z.optional(Text),
	vars: z.record(Text, z.unknown()),
	d1_databases: z.tuple([z.object({ binding: z.literal('DB'), database_name: Text, database_id: z.optional(Text) })]),
	queues: z.object({
		producers: z.array(z.object({ queue: Text })),
		consumers: z.array(z.object({ queue: Text, dead_letter_queue: z.optional(Text) })),
	}),
	secrets: z.object({ required: z.array(Text) }),
	routes: z.optional(z.array(z.union([Text, z.object({ pattern: Text, custom_domain: z.optional(z.boolean()) })]))),
});

export interface DeployFile {
	readonly config: Table;
	/** wrangler.toml as it was when the file was written; empty where the file does not say. */
	readonly base: Table;
	/** The commit that was deployed by it last. */
	readonly commit?: string | undefined;
	/** Where the database is to be made. */
	readonly location?: string | undefined;
}

/** What stands in the line of a file beside its config. */
const Beside = z.object({ base: z.optional(z.custom<Table>()), commit: z.optional(Text), location: z.optional(Text) });

export function readConfig(config: Table) {
	const { data, error } = Read.safeParse(config);
	if (!data) throw new Failure(`wrangler would not take this configuration:\n${z.prettifyError(error)}`);
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
		requiredSecrets: data.secrets.required,
		customDomains: (data.routes ?? []).flatMap((route) => (typeof route !== 'string' && route.custom_domain ? [route.pattern] : [])),
	};
}

/** Where the service of that file is reached. */
export function urlIn({ config }: DeployFile): string {
	return String(readConfig(config).vars['PUBLIC_URL']);
}

/** wrangler.toml for a Worker of that name, as it would stand in that file. */
export function templateFor(wranglerToml: string, name: string, file: string): Table {
	const { env: _dev, ...top } = readToml(wranglerToml);
	return named(
		name,
		PATHS.reduce((config, path) => movedTo(dirname(file), config, path), top),
	);
}

/** Queues and limits are the account's: two services in one must not share them. */
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
	const { base = {}, ...beside } = line === undefined ? {} : besideIn(line.slice(BASE_MARK.length), file);
	return { config: readToml(file), base, ...beside };
}

function besideIn(json: string, file: string): z.infer<typeof Beside> {
	try {
		return Beside.parse(JSON.parse(json));
	} catch {
		throw new Failure(
			`${file}: the line that begins with "${BASE_MARK.trim()}" is not as it was written. Take it away: then all that differs from wrangler.toml counts as your own.`,
		);
	}
}

/** The operator's file on the wrangler.toml of now. */
export function updated({ config, base }: DeployFile, template: Table): Table {
	return mergeThreeWay(base, config, template);
}

export function textOf({ config, ...beside }: DeployFile): string {
	return `${HEAD}${toToml(config)}
# What wrangler.toml said then, by which your changes are told from it:
${BASE_MARK}${JSON.stringify(beside)}
`;
}

export function writeDeployFile(file: string, content: DeployFile): void {
	writeFileSync(file, textOf(content));
}
