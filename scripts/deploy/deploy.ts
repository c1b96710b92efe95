import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';
import { provideBucket, warnOfClickFiles } from './click-bucket.ts';
import { faultIn, failureOf, GOES_ON } from './cloudflare.ts';
import { type DeployFile, readConfig, writeDeployFile } from './config.ts';
import { differences, withIds, withJurisdiction } from './choices.ts';
import type { Table } from './merge.ts';
import { readOptions } from './options.ts';
import { plan, type Plan } from './plan.ts';
import { checksOf, prove } from './prove.ts';
import { createDatabase, createQueue, type Database, findApplied, findDatabase, findQueue, hasOwner, isJurisdiction } from './resources.ts';
import { Steps } from './steps.ts';
import type { Surroundings } from './surroundings.ts';
import { findDomains } from './worker.ts';

const MIN_SECRET_LENGTH = 16;
const WORKER = 'dist/worker/index.mjs';

/** Deploys the service to an account. It can be run again at any time, because each step does only what is still missing. */
export async function deploy(args: readonly string[], surroundings: Surroundings): Promise<number> {
	const options = readOptions(args, surroundings.env);
	const planned = await plan(options, surroundings);
	const steps = new Steps(options.isDry, surroundings.say, planned.account);
	if (options.isDry) introduce(planned, surroundings);
	const secrets = newSecrets(planned, surroundings);
	if (options.isBuilt && !existsSync(join(ROOT, WORKER))) throw new Failure(`${WORKER} does not exist. Run npm run build first.`);
	if (!options.isBuilt) await steps.do('build the Worker: npm run build', () => surroundings.build());
	await steps.look('Could not check the domains', () => requireDomain(planned, surroundings));
	const found = await lookForDatabase(planned, steps);
	await warnOfClickFiles(planned, found, steps, surroundings);

	const keep = (file: DeployFile) => writeDeployFile(options.file, file);
	// The file is written before anything is created, so that if a later step fails, the next run does not ask again.
	await steps.do(`write ${options.file}`, () => keep(planned.file));
	const database = await provideDatabase(planned, found?.uuid, steps);
	const jurisdiction = found ? found.jurisdiction : isJurisdiction(planned.location) ? planned.location : undefined;
	const config = withJurisdiction(withIds(planned.file.config, { database }), jurisdiction ?? undefined);
	const file = { ...planned.file, config };
	if (!options.isDry) keep(file);
	await provideQueues(planned, steps);
	await provideBucket(planned, readConfig(config).clickBucket, steps);
	await migrate(planned, { database, steps, surroundings });
	const setupToken = await upload(planned, secrets, steps, surroundings);
	const checks = checksOf(options.programKey);
	await steps.do(`check ${planned.url}: ${checks.length} checks, until they pass`, () => prove(planned, checks, surroundings));
	if (options.isDry) {
		surroundings.say('\nThis was a dry run: nothing was changed.');
		return 0;
	}
	keep({ ...file, commit: planned.commit });
	const isSecretKept = secrets['SECRETS'] === undefined || secrets['SECRETS'] === surroundings.env['SECRETS'];
	await conclude(planned, { database, config, setupToken, isSecretKept, steps }, surroundings);
	return 0;
}

function introduce({ account, isFirst, asked, live, saved, file }: Plan, { say }: Surroundings): void {
	if (account === undefined) say('There are no credentials for Cloudflare, so this shows a first deployment.\n');
	if (isFirst && account === undefined) say('would ask: Account, if there are several (--account)');
	if (isFirst) for (const question of asked) say(`would ask: ${question}`);
	else if (!saved && live) say('The settings come from the running Worker.');
	for (const line of differences(file.base, file.config)) say(`with ${line}`);
}

/**
 * The secrets that the Worker does not have yet, from the environment or random. In CI, SETUP_TOKEN must be given: a random one would be
 * printed to the log, which others can read.
 */
function newSecrets({ config, live, options }: Plan, { env }: Surroundings): Record<string, string> {
	const missing = config.requiredSecrets.filter((name) => !live?.secrets.includes(name));
	const values = Object.fromEntries(missing.map((name) => [name, env[name] || randomBytes(24).toString('hex')]));
	for (const [name, value] of Object.entries(values)) {
		const strings = name === 'SECRETS' ? value.split(',') : [value];
		if (strings.some((string) => string.trim().length < MIN_SECRET_LENGTH))
			throw new Failure(
				`${name} in the environment is too short. Use at least ${MIN_SECRET_LENGTH} random characters${strings.length > 1 ? ' between its commas' : ''}.`,
			);
	}
	if (missing.includes('SETUP_TOKEN') && env['CI'] && !env['SETUP_TOKEN'] && !options.isDry)
		throw new Failure(
			'Set SETUP_TOKEN, as a secret of the workflow, to 24 random characters or more. The first owner signs up with it, and a generated one would appear in the log. Nothing was changed.',
		);
	return values;
}

/** Cloudflare replaces the DNS record of a custom domain, so the operator must confirm a domain that is already in use. */
async function requireDomain({ config, cloudflare, account, options }: Plan, { isHost }: Surroundings): Promise<void> {
	if (!cloudflare || account === undefined || options.takesDomain) return;
	for (const domain of config.customDomains) {
		const owner = (await findDomains(cloudflare, account)).find(({ hostname }) => hostname === domain)?.service;
		if (owner === config.name) continue;
		if (owner !== undefined || (await isHost(domain)))
			throw new Failure(
				`${domain} already points ${owner === undefined ? 'somewhere else' : `to the Worker ${owner}`}. Add --take-domain to point it to this service. Nothing was changed.`,
			);
	}
}

/**
 * The existing database. Fails if the database is not in the requested location: it cannot be moved, and the law may require that
 * location.
 */
async function lookForDatabase({ config, cloudflare, account, options, saved }: Plan, steps: Steps): Promise<Database | undefined> {
	if (!cloudflare || account === undefined) return undefined;
	const { name, id } = config.database;
	const found = await steps.look('Could not list the databases', () => findDatabase(cloudflare, account, { id, name }));
	if (found === undefined && id !== undefined)
		throw new Failure(
			`The account has no database ${id}, but the deploy file names it. If it was deleted, remove the line database_id: then a new, empty one is created.`,
		);
	const wanted = options.given.location ?? '';
	if (found && wanted !== '' && !mayBeIn(wanted, found.jurisdiction, saved?.location))
		throw new Failure(
			`The database ${name} was created ${placeOf(found.jurisdiction ?? saved?.location)} and cannot be moved. Leave out --location, or restore a backup into a new database in ${wanted}: docs/guides/operations.md.`,
		);
	return found;
}

/** Cloudflare reports a jurisdiction, but a location hint is stored only in the deploy file. */
function mayBeIn(wanted: string, jurisdiction: string | null | undefined, asked: string | undefined): boolean {
	if (jurisdiction || isJurisdiction(wanted)) return jurisdiction === undefined || wanted === jurisdiction;
	return asked === undefined || wanted === asked;
}

function placeOf(location: string | undefined): string {
	return location ? `in ${location}` : 'without a jurisdiction';
}

async function provideDatabase({ config, cloudflare, account, location }: Plan, found: string | undefined, steps: Steps): Promise<string> {
	const { database } = config;
	const where = location === '' ? '' : ` in ${location}`;
	if (!cloudflare || account === undefined) {
		await steps.do(`create the database ${database.name}${where}, if it does not exist`, () => undefined);
		return '';
	}
	if (found !== undefined) return steps.there(`database ${database.name}`, found);
	return (
		(await steps.do(`create the database ${database.name}${where}`, () => createDatabase(cloudflare, account, database.name, location))) ??
		''
	);
}

async function provideQueues({ config, cloudflare, account }: Plan, steps: Steps): Promise<void> {
	for (const queue of config.queues) {
		if (!cloudflare || account === undefined) {
			await steps.do(`create the queue ${queue}, if it does not exist`, () => undefined);
			continue;
		}
		const isThere = await steps.look('Could not list the queues', () => findQueue(cloudflare, account, queue, config.name));
		if (isThere) steps.there(`queue ${queue}`, undefined);
		else await steps.do(`create the queue ${queue}`, () => createQueue(cloudflare, account, queue, config.name));
	}
}

interface Migration {
	readonly database: string;
	readonly steps: Steps;
	readonly surroundings: Surroundings;
}

async function migrate({ cloudflare, account, options }: Plan, { database, steps, surroundings }: Migration): Promise<void> {
	const ours = readdirSync(join(ROOT, 'migrations'))
		.filter((name) => name.endsWith('.sql'))
		.sort();
	const isNew = !cloudflare || account === undefined || database === '';
	const applied = isNew ? [] : await steps.look('Could not read the migrations', () => findApplied(cloudflare, account, database, ours));
	const pending = ours.filter((name) => !applied.includes(name));
	const [first] = pending;
	if (first === undefined) return steps.there(`all ${ours.length} migrations`, undefined);
	await steps.do(`apply ${pending.length === 1 ? first : `${pending.length} migrations, from ${first}`}`, async () => {
		const { code, output } = await surroundings.wrangler([
			'd1',
			'migrations',
			'apply',
			'DB',
			'--remote',
			'--env=',
			'--config',
			options.file,
		]);
		if (code === 0) return;
		const fault = faultIn(output);
		const advice = fault ? failureOf('Cloudflare refused', fault, account).message : GOES_ON;
		throw new Failure(
			`${output}\nA migration failed. D1 rolled it back; earlier migrations stay applied. The Worker was not changed: if one is running, it keeps tracking.\n${advice}`,
		);
	});
}

/** Returns the new SETUP_TOKEN, if one was set. */
async function upload(
	planned: Plan,
	made: Readonly<Record<string, string>>,
	steps: Steps,
	{ wrangler, env, say }: Surroundings,
): Promise<string | undefined> {
	const { config, options, url } = planned;
	const alerts = options.given['alert-webhook-url'];
	const values = alerts ? { ...made, ALERT_WEBHOOK_URL: alerts } : made;
	const names = Object.keys(values);
	const token = env['CI'] && made['SETUP_TOKEN'] ? '<your SETUP_TOKEN>' : made['SETUP_TOKEN'];
	// Shown before the upload, because if the upload's response is lost, the token is set but could not be shown later.
	if (token !== undefined && !options.isDry) say(`\nSETUP_TOKEN, with which the first owner signs up: ${token}\n`);
	const secrets = names.length === 0 ? '' : `, with new secrets: ${names.join(', ')}`;
	await steps.do(`upload the Worker ${config.name} to ${url}${secrets}`, async () => {
		const { code, output } = await withSecretsFile(values, (file) =>
			wrangler(['deploy', WORKER, '--no-bundle', '--env=', '--config', options.file, ...file]),
		);
		if (code === 0) return;
		const fault = faultIn(output);
		throw new Failure(`${output}\n${fault ? failureOf('The upload failed', fault, undefined).message : `The upload failed. ${GOES_ON}`}`);
	});
	return token;
}

async function withSecretsFile<Result>(
	values: Readonly<Record<string, string>>,
	work: (args: string[]) => Promise<Result>,
): Promise<Result> {
	if (Object.keys(values).length === 0) return work([]);
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-deploy-'));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	process.once('exit', remove);
	try {
		const file = join(folder, 'secrets.json');
		writeFileSync(file, JSON.stringify(values), { mode: 0o600 });
		return await work(['--secrets-file', file]);
	} finally {
		remove();
		process.off('exit', remove);
	}
}

interface Done {
	readonly database: string;
	readonly config: Table;
	readonly setupToken: string | undefined;
	/** False if SECRETS was just generated, so nobody has a copy yet. */
	readonly isSecretKept: boolean;
	readonly steps: Steps;
}

async function conclude(planned: Plan, { database, config, setupToken, isSecretKept, steps }: Done, { say }: Surroundings): Promise<void> {
	const { url, saved, commit, cloudflare, account, options } = planned;
	const settings = saved ? differences(saved.config, config) : [];
	const code =
		saved?.commit !== undefined && commit !== undefined && saved.commit !== commit ? [`the code: git log ${saved.commit}..${commit}`] : [];
	const changed = [...steps.done.filter((step) => step.startsWith('create') || step.startsWith('apply')), ...code, ...settings];
	if (saved || planned.live)
		say(`\nChanged: ${changed.length === 0 ? 'only the upload' : ''}${changed.map((line) => `\n  ${line}`).join('')}`);
	say(`\nThe service is running: ${url}`);
	if (!isSecretKept)
		say(
			`SECRETS is random and only the Worker has it, so it cannot be rotated and backups cannot be used elsewhere. To use a value that you keep, set it now, before anything is tracked:\n  npx wrangler secret put SECRETS --config ${options.file}`,
		);
	if (!cloudflare || account === undefined) return;
	if (await steps.look('Could not check whether somebody has signed up', () => hasOwner(cloudflare, account, database))) return;
	const isOpen = readConfig(config).vars['SIGN_UP'] === 'open';
	if (isOpen) say(`Nobody has signed up yet: ${url}/sign-up`);
	else if (setupToken !== undefined) say(`The first owner signs up here:\n\n  ${url}/sign-up#${setupToken}\n`);
	else
		say(
			`Nobody has signed up yet. The link is ${url}/sign-up#<SETUP_TOKEN>, with the token shown by an earlier run. If you lost it, set another one:\n  npx wrangler secret put SETUP_TOKEN --config ${options.file}`,
		);
}
