import { parseArgs } from 'node:util';
import { Failure } from '../../testing/failure.ts';
import { DEFAULT_NAME, DEPLOY_FILE } from './config.ts';
import { resolve } from 'node:path';

/** What a deployment is to be told: each may be given as an option, and what is not is asked, or is as it was. */
export const CHOICES = {
	name: {
		asks: 'Name of the Worker and its database',
		fallback: DEFAULT_NAME,
		form: /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/,
		hint: 'up to 40 small letters, digits and dashes',
	},
	location: {
		asks: 'Where the database is to live: wnam, enam (America), weur, eeur (Europe), apac, oc, or a jurisdiction: eu, us, fedramp; empty: near you',
		fallback: '',
		form: /^(wnam|enam|weur|eeur|apac|oc|eu|us|fedramp)?$/,
		hint: 'one of wnam, enam, weur, eeur, apac, oc, eu, us, fedramp',
	},
	domain: {
		asks: 'Its own domain, such as track.example.com, of a zone in this account; empty: an address on workers.dev',
		fallback: '',
		form: /^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+)?$/,
		hint: 'a host name, without https://',
	},
	'sign-up': {
		asks: 'Who may sign up: invite (you, and whom you invite) or open (anybody)',
		fallback: 'invite',
		form: /^(invite|open)$/,
		hint: 'invite or open',
	},
	'mail-from': {
		asks: 'Sender of mail, such as mail@example.com, of a domain onboarded for Email Sending; empty: no mail',
		fallback: '',
		form: /^([^\s<>@]+@[^\s<>@]+|[^<>]+ <[^\s<>@]+@[^\s<>@]+>)?$/,
		hint: 'an e-mail address, or Example <mail@example.com>',
	},
	'alert-webhook-url': {
		asks: 'Where alerts are posted, such as a Slack or Discord webhook; empty: nowhere',
		fallback: '',
		form: /^(https:\/\/\S+)?$/,
		hint: 'an https address',
	},
} as const satisfies Record<string, Choice>;

interface Choice {
	readonly asks: string;
	readonly fallback: string;
	readonly form: RegExp;
	readonly hint: string;
}

export type ChoiceName = keyof typeof CHOICES;
export type Placeholders = Partial<Record<ChoiceName, string>>;

export interface Options {
	readonly given: Placeholders;
	readonly account: string | undefined;
	readonly publicUrl: string | undefined;
	/** "off", "smart", or a region such as aws:eu-central-1. */
	readonly placement: string | undefined;
	readonly programKey: string | undefined;
	readonly file: string;
	readonly isDry: boolean;
	readonly asksNothing: boolean;
	readonly isBuilt: boolean;
	readonly takesDomain: boolean;
}

export const USAGE = `npm run deploy -- [options]

  --name <name>               the Worker and its database (${DEFAULT_NAME})
  --account <id or name>      the Cloudflare account, where there are several
  --location <where>          the database, once: wnam, enam, weur, eeur, apac, oc, or by law: eu, us, fedramp
  --domain <host>             a custom domain of a zone in the account; without it: workers.dev
  --take-domain               also where that host leads elsewhere now
  --public-url <address>      where people reach it, where that is not the domain
  --sign-up invite|open       who may sign up
  --mail-from <sender>        mail, from a domain that Cloudflare sends for
  --placement off|smart|<region>   where the Worker runs: near the caller, or near the database (aws:eu-central-1)
  --alert-webhook-url <url>   where alerts are posted
  --program-key <key>         runs that program's test chain at the end (or PROGRAM_KEY)
  --config <file>             another file in place of wrangler.deploy.toml: a second service, staging
  --built                     deploys dist/worker as it is
  --yes                       asks nothing
  --dry-run                   shows every step and changes nothing

npm run deploy:rehearse takes the same options: it does every step against a simulated account on this machine.

Credentials: npx wrangler login, or CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID. SETUP_TOKEN, SECRETS:
those of your own, in place of random ones at the first deployment.`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const ARGUMENTS = {
	name: TEXT,
	location: TEXT,
	domain: TEXT,
	'sign-up': TEXT,
	'mail-from': TEXT,
	'alert-webhook-url': TEXT,
	account: TEXT,
	'public-url': TEXT,
	placement: TEXT,
	'program-key': TEXT,
	config: TEXT,
	'take-domain': FLAG,
	built: FLAG,
	yes: FLAG,
	'dry-run': FLAG,
	help: FLAG,
} as const;

export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Options {
	const { values } = parse(() => parseArgs({ args: [...fromNpm(env), ...args], options: ARGUMENTS }));
	if (values.help) throw new Failure(USAGE, 0);
	const given: Placeholders = {};
	for (const name of choiceNames()) {
		const value = text(values[name]);
		if (value !== undefined) given[name] = readChoice(name, value);
	}
	const publicUrl = text(values['public-url']);
	if (publicUrl !== undefined && !/^https?:\/\/[^/?#\s]+$/.test(publicUrl))
		throw new Failure('--public-url is an address such as https://track.example.com, without a path.');
	const placement = text(values.placement);
	if (placement !== undefined && !/^(off|smart|(aws|gcp|azure):[a-z0-9-]+)$/.test(placement))
		throw new Failure('--placement is off, smart, or a region near the database, such as aws:eu-central-1.');
	return {
		given,
		account: text(values.account) ?? text(env['CLOUDFLARE_ACCOUNT_ID']),
		publicUrl,
		placement,
		programKey: text(values['program-key']) ?? text(env['PROGRAM_KEY']),
		file: values.config === undefined ? DEPLOY_FILE : resolve(values.config),
		isDry: values['dry-run'] ?? false,
		asksNothing: values.yes ?? false,
		isBuilt: values.built ?? false,
		takesDomain: values['take-domain'] ?? false,
	};
}

/** The options before the two dashes, which npm takes for its own. Fails if npm has lost the value. */
function fromNpm(env: Readonly<Record<string, string | undefined>>): string[] {
	return Object.entries(ARGUMENTS).flatMap(([name, { type }]) => {
		const value = text(env[`npm_config_${name.replaceAll('-', '_')}`]);
		if (value === undefined) return [];
		if (type === 'boolean') return value === 'true' ? [`--${name}`] : [];
		// npm separates an option from a value behind a blank, and has a setting of its own called location.
		if (value === 'true' || name === 'location')
			throw new Failure(
				`npm took --${name} for itself. An option with a value comes behind two dashes: npm run deploy -- --${name} <value>`,
			);
		return [`--${name}=${value}`];
	});
}

/** A workflow passes on a variable that nobody has set as an empty one. */
function text(value: string | undefined): string | undefined {
	return value === undefined || value.trim() === '' ? undefined : value.trim();
}

export function choiceNames(): ChoiceName[] {
	return ['name', 'location', 'domain', 'sign-up', 'mail-from', 'alert-webhook-url'];
}

/** What was meant by an answer or option. Fails where it is none. */
export function readChoice(name: ChoiceName, said: string): string {
	const { fallback, form, hint }: Choice = CHOICES[name];
	const isOptional = fallback === '';
	const value = isOptional && said === 'none' ? '' : name === 'domain' ? said.toLowerCase() : said;
	if (!form.test(value)) throw new Failure(`--${name} is ${hint}${isOptional ? ', or none' : ''}.`);
	return value;
}

function parse<Parsed>(read: () => Parsed): Parsed {
	try {
		return read();
	} catch (error) {
		if (error instanceof Failure) throw error;
		throw new Failure(`${error instanceof Error ? error.message : 'Unknown option'}\n\n${USAGE}`);
	}
}
