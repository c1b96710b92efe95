import { Failure } from '../../testing/failure.ts';
import { chooseAccount, findCredentials } from './account.ts';
import { askFor, asItRuns, questions, withChoices, withIds } from './choices.ts';
import { ApiFault, Cloudflare, failureOf } from './cloudflare.ts';
import { type BucketName, DEFAULT_NAME, type DeployFile, readConfig, readDeployFile, templateFor, updated } from './config.ts';
import type { Table } from './merge.ts';
import { choiceNames, type Placeholders, type Options } from './options.ts';
import type { Surroundings } from './surroundings.ts';
import { findSubdomain, findWorker, type LiveWorker } from './worker.ts';

/** What will be deployed and where, decided before anything is changed. */
export interface Plan {
	readonly options: Options;
	/** Undefined in a dry run without credentials. */
	readonly cloudflare: Cloudflare | undefined;
	readonly account: string | undefined;
	/** The deploy file as it was before this run. */
	readonly saved: DeployFile | undefined;
	readonly live: LiveWorker | undefined;
	/** True if there is neither a deploy file nor a Worker. */
	readonly isFirst: boolean;
	/** The deploy file that this run writes. */
	readonly file: DeployFile;
	readonly config: ReturnType<typeof readConfig>;
	/** The bucket for retired clicks before this run. */
	readonly bucketBefore: BucketName | undefined;
	/** The questions of a first deployment; a dry run only lists them. */
	readonly asked: readonly string[];
	/** Where to create a new database. */
	readonly location: string;
	readonly url: string;
	readonly commit: string | undefined;
}

export async function plan(options: Options, surroundings: Surroundings): Promise<Plan> {
	const saved = readDeployFile(options.file);
	const savedName = saved && readConfig(saved.config).name;
	if (savedName !== undefined && options.given.name !== undefined && savedName !== options.given.name)
		throw new Failure(`${options.file} is for the Worker ${savedName}. Use another file for another Worker: --config <name>.deploy.toml`);
	const login = await logIn(options, saved, surroundings);
	try {
		return await planFor(login, { options, saved, surroundings });
	} catch (error) {
		throw error instanceof ApiFault ? failureOf('Could not read the account', error, login?.account) : error;
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
			'Not signed in to Cloudflare. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN (in a workflow: as a secret). To see the steps first: npm run deploy -- --dry-run',
		);
	}
	const cloudflare = new Cloudflare(credentials, surroundings.env['CLOUDFLARE_API_BASE_URL'], surroundings.wait);
	const wanted = { account: options.account, saved: saved && readConfig(saved.config).accountId, file: options.file };
	const asking = options.asksNothing || options.isDry ? { ...surroundings, ask: undefined } : surroundings;
	try {
		const { id, name } = await chooseAccount(cloudflare, wanted, asking);
		surroundings.say(`Account: ${name}`);
		return { cloudflare, account: id };
	} catch (error) {
		throw error instanceof ApiFault ? failureOf('Could not list the accounts', error, undefined) : error;
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
	// The alert webhook is a secret, so it is not stored in the file. The script asks for it until the Worker exists.
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
		bucketBefore: readConfig(own).clickBucket,
		asked: isFirst ? questions(options.given) : [],
		location: location ?? '',
		url,
		commit: surroundings.commit(),
	};
}

/** The public URL: PUBLIC_URL, the custom domain, or the one on workers.dev. */
async function urlOf(table: Table, login: Login | undefined): Promise<string> {
	const { name, vars, customDomains } = readConfig(table);
	const publicUrl = vars['PUBLIC_URL'];
	if (typeof publicUrl === 'string' && publicUrl !== '') return publicUrl.replace(/\/+$/, '');
	const [domain] = customDomains;
	if (domain !== undefined) return `https://${domain}`;
	const subdomain = login ? await findSubdomain(login.cloudflare, login.account) : '<your-subdomain>';
	if (subdomain === undefined) {
		const missing = { code: 0, message: 'not found' };
		throw failureOf(
			'Could not find the address on workers.dev',
			new ApiFault(`/accounts/${login?.account}/workers/subdomain`, 404, missing),
			login?.account,
		);
	}
	return `https://${name}.${subdomain}.workers.dev`;
}
