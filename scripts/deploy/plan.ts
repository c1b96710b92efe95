import { Failure } from '../../testing/failure.ts';
import { chooseAccount, findCredentials } from './account.ts';
import { askFor, asItRuns, questions, withChoices, withIds } from './choices.ts';
import { ApiFault, Cloudflare, failureOf } from './cloudflare.ts';
import { DEFAULT_NAME, type DeployFile, readConfig, readDeployFile, templateFor, updated } from './config.ts';
import type { Table } from './merge.ts';
import { choiceNames, type Placeholders, type Options } from './options.ts';
import type { Surroundings } from './surroundings.ts';
import { findSubdomain, findWorker, type LiveWorker } from './worker.ts';

/** What is to be deployed and where, before anything is changed. */
export interface Plan {
	readonly options: Options;
	/** Undefined in a dry run without credentials. */
	readonly cloudflare: Cloudflare | undefined;
	readonly account: string | undefined;
	/** The file as it was. */
	readonly saved: DeployFile | undefined;
	readonly live: LiveWorker | undefined;
	/** Neither a file nor a Worker. */
	readonly isFirst: boolean;
	/** The file as it is to be. */
	readonly file: DeployFile;
	readonly config: ReturnType<typeof readConfig>;
	/** What was asked, or would be in other than a dry run. */
	readonly asked: readonly string[];
	/** Of the database, where it is still to be made. */
	readonly location: string;
	/** Where it will be reached. */
	readonly url: string;
	readonly commit: string | undefined;
}

export async function plan(options: Options, surroundings: Surroundings): Promise<Plan> {
	const saved = readDeployFile(options.file);
	const savedName = saved && readConfig(saved.config).name;
	if (savedName !== undefined && options.given.name !== undefined && savedName !== options.given.name)
		throw new Failure(`${options.file} is of the Worker ${savedName}. For another one take another file: --config <name>.deploy.toml`);
	const login = await logIn(options, saved, surroundings);
	try {
		return await planFor(login, { options, saved, surroundings });
	} catch (error) {
		throw error instanceof ApiFault ? failureOf('The account could not be looked at', error, login?.account) : error;
	}
}

interface Login {
	readonly cloudflare: Cloudflare;
	readonly account: string;
}

async function logIn(options: Options, saved: DeployFile | undefined, surroundings: Surroundings): Promise<Login | undefined> {
	const credentials = await findCredentials(surroundings);
	if (!credentials) {
		if (options.isDry) return undefined;
		throw new Failure(
			'Not signed in to Cloudflare: npx wrangler login, or set CLOUDFLARE_API_TOKEN, of a workflow as a secret. To see what would be done: npm run deploy -- --dry-run',
		);
	}
	const cloudflare = new Cloudflare(credentials, surroundings.env['CLOUDFLARE_API_BASE_URL'], surroundings.wait);
	const wanted = { account: options.account, saved: saved && readConfig(saved.config).accountId, file: options.file };
	const asking = options.asksNothing || options.isDry ? { ...surroundings, ask: undefined } : surroundings;
	try {
		const { id, name } = await chooseAccount(cloudflare, wanted, asking);
		surroundings.say(`The account: ${name}`);
		return { cloudflare, account: id };
	} catch (error) {
		throw error instanceof ApiFault ? failureOf('The accounts could not be listed', error, undefined) : error;
	}
}

interface Known {
	readonly options: Options;
	readonly saved: DeployFile | undefined;
	readonly surroundings: Surroundings;
}

async function planFor(login: Login | undefined, { options, saved, surroundings }: Known): Promise<Plan> {
	const asking = { ...surroundings, ask: options.asksNothing || options.isDry ? undefined : surroundings.ask };
	const savedName = saved && readConfig(saved.config).name;
	const { name = DEFAULT_NAME } = savedName === undefined ? await askFor(['name'], options.given, asking) : { name: savedName };
	const live = login && (await findWorker(login.cloudflare, login.account, name));
	const isFirst = !saved && !live;
	// The file keeps no secret: until the Worker has it, it is asked for.
	const open = isFirst ? choiceNames() : live ? [] : (['alert-webhook-url'] as const);
	const given: Placeholders = await askFor(open, { ...options.given, name }, asking);
	const location = given.location ?? saved?.location;

	const base = templateFor(surroundings.wranglerToml, name, options.file);
	const own = saved ? updated(saved, base) : live ? asItRuns(base, live) : base;
	const chosen = withIds(withChoices(own, given, options), { account: login?.account, database: saved ? undefined : live?.databaseId });
	const url = await urlOf(chosen, login);
	const config = withChoices(
		chosen,
		{},
		{ publicUrl: readConfig(chosen).vars['PUBLIC_URL'] === '' ? url : undefined, placement: undefined },
	);
	return {
		options: { ...options, given },
		cloudflare: login?.cloudflare,
		account: login?.account,
		saved,
		live,
		isFirst,
		file: { config, base, location, commit: saved?.commit },
		config: readConfig(config),
		asked: isFirst ? questions(options.given) : [],
		location: location ?? '',
		url,
		commit: surroundings.commit(),
	};
}

/** What people open: the address that they are told, else the one on workers.dev. */
async function urlOf(table: Table, login: Login | undefined): Promise<string> {
	const { name, vars, customDomains } = readConfig(table);
	const told = vars['PUBLIC_URL'];
	if (typeof told === 'string' && told !== '') return told.replace(/\/+$/, '');
	const [domain] = customDomains;
	if (domain !== undefined) return `https://${domain}`;
	const subdomain = login ? await findSubdomain(login.cloudflare, login.account) : '<your-subdomain>';
	if (subdomain === undefined) {
		const missing = { code: 0, message: 'there is none' };
		throw failureOf(
			'The address on workers.dev',
			new ApiFault(`/accounts/${login?.account}/workers/subdomain`, 404, missing),
			login?.account,
		);
	}
	return `https://${name}.${subdomain}.workers.dev`;
}
