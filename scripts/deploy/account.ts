import * as z from 'zod';
import { Failure } from '../../testing/failure.ts';
import { answerIn } from '../../testing/wrangler.ts';
import type { Cloudflare, Headers } from './cloudflare.ts';
import type { Surroundings } from './surroundings.ts';

const Account = z.object({ id: z.string(), name: z.string() });
export type Account = z.infer<typeof Account>;

const Login = z.union([
	z.object({ type: z.literal('api_key'), key: z.string(), email: z.string() }),
	z.object({ type: z.string(), token: z.string() }),
]);

/** What wrangler itself would call with: a token, a key, or its own login. Undefined where there is nothing. */
export async function findCredentials({ env, wrangler }: Pick<Surroundings, 'env' | 'wrangler'>): Promise<Headers | undefined> {
	const token = env['CLOUDFLARE_API_TOKEN'];
	// What is no header would stand in the message about it.
	if (token && !/^[\x21-\x7e]+$/.test(token))
		throw new Failure('CLOUDFLARE_API_TOKEN has a character that no token has: a blank, a line break or a dash of a word processor?');
	if (token) return { Authorization: `Bearer ${token}` };
	const finished = await wrangler(['auth', 'token', '--json']);
	if (finished.code !== 0) return undefined;
	const login = Login.parse(answerIn(finished));
	return 'key' in login ? { 'X-Auth-Key': login.key, 'X-Auth-Email': login.email } : { Authorization: `Bearer ${login.token}` };
}

interface Wanted {
	/** By id or name, as an option. */
	readonly account: string | undefined;
	/** That of the deploy file. */
	readonly saved: string | undefined;
	readonly file: string;
}

/** The account to deploy to: the one that is named, the only one, or the one that is chosen. */
export async function chooseAccount(
	cloudflare: Cloudflare,
	{ account: wanted, saved, file }: Wanted,
	{ ask, say }: Pick<Surroundings, 'ask' | 'say'>,
): Promise<Account> {
	if (wanted === undefined && saved !== undefined) return { id: saved, name: saved };
	// A token of one account need not be able to list them.
	if (wanted !== undefined && /^[0-9a-f]{32}$/.test(wanted)) return sameAs(saved, file, { id: wanted, name: wanted });
	const accounts = await cloudflare.list('/accounts', Account);
	const list = accounts.map(({ id, name }, index) => `  ${index + 1}. ${name} (${id})`).join('\n');
	if (wanted !== undefined) {
		const named = accounts.find(({ id, name }) => id === wanted || name === wanted);
		if (!named) throw new Failure(`The credentials reach no account ${wanted}, but these:\n${list}`);
		return sameAs(saved, file, named);
	}
	const [first, ...others] = accounts;
	if (!first)
		throw new Failure(
			'The credentials reach no account that could be listed. Set CLOUDFLARE_ACCOUNT_ID: it stands in the dashboard, at the right of Workers.',
		);
	if (others.length === 0) return first;
	if (!ask) throw new Failure(`Which account? Name it by --account or CLOUDFLARE_ACCOUNT_ID:\n${list}`);
	say(`The accounts:\n${list}`);
	for (;;) {
		const answer = (await ask('Which one? ')).trim();
		const chosen = accounts[Number(answer) - 1] ?? accounts.find(({ id, name }) => id === answer || name === answer);
		if (chosen) return chosen;
		say('  It is one of these: its number, name or id.');
	}
}

function sameAs(saved: string | undefined, file: string, account: Account): Account {
	if (saved === undefined || saved === account.id) return account;
	throw new Failure(`${file} is for the account ${saved}. For another one take another file: --config <name>.deploy.toml`);
}
