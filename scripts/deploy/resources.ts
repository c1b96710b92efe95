import * as z from 'zod';
import { Failure } from '../../testing/failure.ts';
import type { Cloudflare } from './cloudflare.ts';

const Database = z.object({ uuid: z.string(), name: z.string(), jurisdiction: z.nullish(z.string()) });
export type Database = z.infer<typeof Database>;
const Consumer = z.looseObject({ script: z.optional(z.string()), service: z.optional(z.string()) });
const Queue = z.object({ queue_name: z.string(), consumers: z.nullish(z.array(Consumer)) });

/** Any other location is only a hint. */
export function isJurisdiction(location: string): boolean {
	return ['eu', 'us', 'fedramp'].includes(location);
}

/** Finds the database by its id in the deploy file, or by its name. */
export async function findDatabase(
	cloudflare: Cloudflare,
	account: string,
	{ id, name }: { readonly id: string | undefined; readonly name: string },
): Promise<Database | undefined> {
	if (id !== undefined) return cloudflare.find(`/accounts/${account}/d1/database/${id}`, Database);
	const found = await cloudflare.list(`/accounts/${account}/d1/database?name=${encodeURIComponent(name)}`, Database);
	return found.find((database) => database.name === name);
}

/** Returns the new database's id. */
export async function createDatabase(cloudflare: Cloudflare, account: string, name: string, location: string): Promise<string> {
	const where = isJurisdiction(location) ? { jurisdiction: location } : location === '' ? {} : { primary_location_hint: location };
	const made = await madeOnce(
		() => cloudflare.create(`/accounts/${account}/d1/database`, { name, ...where }, Database),
		() => findDatabase(cloudflare, account, { id: undefined, name }),
	);
	return made.uuid;
}

/** Whether the queue exists. Fails if another Worker consumes it. */
export async function findQueue(cloudflare: Cloudflare, account: string, name: string, worker: string): Promise<boolean> {
	const queues = await cloudflare.list(`/accounts/${account}/queues?name=${encodeURIComponent(name)}`, Queue);
	const queue = queues.find(({ queue_name: found }) => found === name);
	const other = queue?.consumers?.map(({ script, service }) => script ?? service).find((taker) => taker !== undefined && taker !== worker);
	if (other !== undefined) throw new Failure(`The queue ${name} is in use: the Worker ${other} consumes it. Choose another name: --name.`);
	return queue !== undefined;
}

export async function createQueue(cloudflare: Cloudflare, account: string, name: string, worker: string): Promise<void> {
	await madeOnce(
		async () => {
			await cloudflare.create(`/accounts/${account}/queues`, { queue_name: name }, z.unknown());
			return true;
		},
		async () => (await findQueue(cloudflare, account, name, worker)) || undefined,
	);
}

/** A response can be lost, or another run may have been first. So if the resource exists after an error, it counts as created. */
export async function madeOnce<Made>(make: () => Promise<Made>, find: () => Promise<Made | undefined>): Promise<Made> {
	try {
		return await make();
	} catch (error) {
		const there = await find().catch(() => undefined);
		if (there === undefined) throw error;
		return there;
	}
}

const Row = z.object({ name: z.string() });

/** The migrations already applied. Fails if the database belongs to another application. */
export async function findApplied(cloudflare: Cloudflare, account: string, database: string, ours: readonly string[]): Promise<string[]> {
	const tables = await cloudflare.query(
		account,
		database,
		`SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 4) <> '_cf_'`,
		Row,
	);
	const isMigrated = tables.some(({ name }) => name === 'd1_migrations');
	const applied = isMigrated
		? (await cloudflare.query(account, database, 'SELECT name FROM d1_migrations ORDER BY id', Row)).map(({ name }) => name)
		: [];
	const others = tables.filter(({ name }) => name !== 'd1_migrations' && !name.startsWith('sqlite_'));
	if (others.length > 0 && !applied.some((name) => ours.includes(name)))
		throw new Failure('The account has a database of that name that belongs to something else. Choose another name: --name.');
	return applied;
}

export async function hasOwner(cloudflare: Cloudflare, account: string, database: string): Promise<boolean> {
	return (await cloudflare.query(account, database, `SELECT 'somebody' AS name FROM users LIMIT 1`, Row)).length > 0;
}
