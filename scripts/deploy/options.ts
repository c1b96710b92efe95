import { parseArgs } from 'node:util';
import { Failure } from '../../testing/failure.ts';
import { DEFAULT_NAME, DEPLOY_FILE } from './config.ts';
import { resolve } from 'node:path';

/** The operator's choices. Each can be given as an option; if it is missing, the script asks for it or keeps the earlier value. */
export const CHOICES = {
	name: {
		asks: 'Name of the Worker and its database',
		fallback: DEFAULT_NAME,
		form: /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/,
		hint: 'up to 40 lowercase letters, digits and dashes',
	},
	location: {
		asks: 'Location of the database: wnam, enam (America), weur, eeur (Europe), apac, oc, or a jurisdiction: eu, us, fedramp; empty: near you',
		fallback: '',
		form: /^(wnam|enam|weur|eeur|apac|oc|eu|us|fedramp)?$/,
		hint: 'one of wnam, enam, weur, eeur, apac, oc, eu, us, fedramp',
	},
	domain: {
		asks: 'Custom domain, such as track.example.com, in a zone of this account; empty: an address on workers.dev',
		fallback: '',
		form: /^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+)?$/,
		hint: 'a host name, without https://',
	},
	'sign-up': {
		asks: 'Who may sign up: invite (you and people you invite) or open (anyone)',
		fallback: 'invite',
		form: /^(invite|open)$/,
		hint: 'invite or open',
	},
	'mail-from': {
		asks: 'Sender of emails, such as mail@example.com, on a domain onboarded for Email Sending; empty: no emails',
		fallback: '',
		form: /^([^\s<>@]+@[^\s<>@]+|[^<>]+ <[^\s<>@]+@[^\s<>@]+>)?$/,
		hint: 'an email address, or Example <mail@example.com>',
	},
	'click-bucket': {
		asks: 'R2 bucket for clicks that programs no longer keep in the database, such as affiliate-clicks; empty: none, and such clicks are deleted',
		fallback: '',
		form: /^([a-z0-9][a-z0-9-]{1,61}[a-z0-9])?$/,
		hint: 'the name of a bucket: 3 to 63 lowercase letters, digits and dashes',
	},
	'alert-webhook-url': {
		asks: 'Webhook for alerts, such as one of Slack or Discord; empty: none',
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
  --account <id or name>      the Cloudflare account, if there are several
  --location <where>          location of a new database: wnam, enam, weur, eeur, apac, oc, or a jurisdiction: eu, us, fedramp
  --domain <host>             a custom domain in a zone of the account; default: workers.dev
  --take-domain               use the domain even if it points somewhere else now
  --public-url <address>      the public address, if it differs from the domain
  --sign-up invite|open       who may sign up
  --mail-from <sender>        the sender of emails, on a domain that Cloudflare sends for
  --click-bucket <name>       an R2 bucket for clicks that programs no longer keep in the database; none: such clicks are deleted
  --placement off|smart|<region>   where the Worker runs: near the caller, or near the database (aws:eu-central-1)
  --alert-webhook-url <url>   a webhook for alerts
  --program-key <key>         run that program's test chain at the end (or PROGRAM_KEY)
  --config <file>             a file other than wrangler.deploy.toml, for a second service or staging
  --built                     deploy dist/worker without building it
  --yes                       ask nothing
  --dry-run                   show every step and change nothing

npm run deploy:rehearse takes the same options and runs every step against a simulated account on this machine.

Credentials: npx wrangler login, or CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID. The first deployment generates
SETUP_TOKEN and SECRETS unless the environment has them.`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const ARGUMENTS = {
	name: TEXT,
	location: TEXT,
	domain: TEXT,
	'sign-up': TEXT,
	'mail-from': TEXT,
	'click-bucket': TEXT,
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
		throw new Failure('--public-url must be an address such as https://track.example.com, without a path.');
	const placement = text(values.placement);
	if (placement !== undefined && !/^(off|smart|(aws|gcp|azure):[a-z0-9-]+)$/.test(placement))
		throw new Failure('--placement must be off, smart, or a region near the database, such as aws:eu-central-1.');
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

/** Options given without `--` before them, which npm treats as its own. Fails if npm has lost the value. */
function fromNpm(env: Readonly<Record<string, string | undefined>>): string[] {
	return Object.entries(ARGUMENTS).flatMap(([name, { type }]) => {
		const value = text(env[`npm_config_${name.replaceAll('-', '_')}`]);
		if (value === undefined) return [];
		if (type === 'boolean') return value === 'true' ? [`--${name}`] : [];
		// npm takes a value after a space for a separate argument, and has its own setting called location.
		if (value === 'true' || name === 'location')
			throw new Failure(`npm used --${name} for itself. Put two dashes before the options: npm run deploy -- --${name} <value>`);
		return [`--${name}=${value}`];
	});
}

/** Workflows pass unset variables as empty strings. */
function text(value: string | undefined): string | undefined {
	return value === undefined || value.trim() === '' ? undefined : value.trim();
}

export function choiceNames(): ChoiceName[] {
	return ['name', 'location', 'domain', 'sign-up', 'mail-from', 'click-bucket', 'alert-webhook-url'];
}

/** Parses an answer or an option. Fails if it is invalid. */
export function readChoice(name: ChoiceName, typed: string): string {
	const { fallback, form, hint }: Choice = CHOICES[name];
	const isOptional = fallback === '';
	const value = isOptional && typed === 'none' ? '' : name === 'domain' ? typed.toLowerCase() : typed;
	if (!form.test(value)) throw new Failure(`--${name} must be ${hint}${isOptional ? ', or none' : ''}.`);
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
