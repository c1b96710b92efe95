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

/** The credentials that wrangler would use: a token, a key, or its own login. Undefined if there are none. */
export async function findCredentials({ env, wrangler }: Pick<Surroundings, 'env' | 'wrangler'>): Promise<Headers | undefined> {
	const token = env['CLOUDFLARE_API_TOKEN'];
	// fetch quotes an invalid header value in its error message, which would print the token.
	if (token && !/^[\x21-\x7e]+$/.test(token))
		throw new Failure('CLOUDFLARE_API_TOKEN has an invalid character, such as a space, a line break or a typographic dash. Copy it again.');
	if (token) return { Authorization: `Bearer ${token}` };
	const finished = await wrangler(['auth', 'token', '--json']);
	if (finished.code !== 0) return undefined;
	const login = Login.parse(answerIn(finished));
	return 'key' in login ? { 'X-Auth-Key': login.key, 'X-Auth-Email': login.email } : { Authorization: `Bearer ${login.token}` };
}

interface Wanted {
	/** The account id or name from the option. */
	readonly account: string | undefined;
	/** The account named in the deploy file. */
	readonly saved: string | undefined;
	readonly file: string;
}

/** The account to deploy to: the one named, the only one, or the one the operator picks. */
export async function chooseAccount(
	cloudflare: Cloudflare,
	{ account: wanted, saved, file }: Wanted,
	{ ask, say }: Pick<Surroundings, 'ask' | 'say'>,
): Promise<Account> {
	if (wanted === undefined && saved !== undefined) return { id: saved, name: saved };
	// A token for a single account may not have permission to list accounts.
	if (wanted !== undefined && /^[0-9a-f]{32}$/.test(wanted)) return sameAs(saved, file, { id: wanted, name: wanted });
	const accounts = await cloudflare.list('/accounts', Account);
	const list = accounts.map(({ id, name }, index) => `  ${index + 1}. ${name} (${id})`).join('\n');
	if (wanted !== undefined) {
		const named = accounts.find(({ id, name }) => id === wanted || name === wanted);
		if (!named) throw new Failure(`These credentials have no access to the account ${wanted}. They have access to:\n${list}`);
		return sameAs(saved, file, named);
	}
	const [first, ...others] = accounts;
	if (!first)
		throw new Failure('These credentials cannot list any account. Set CLOUDFLARE_ACCOUNT_ID: the dashboard shows it on the Workers page.');
	if (others.length === 0) return first;
	if (!ask) throw new Failure(`Choose an account with --account or CLOUDFLARE_ACCOUNT_ID:\n${list}`);
	say(`Accounts:\n${list}`);
	for (;;) {
		const answer = (await ask('Which one? ')).trim();
		const chosen = accounts[Number(answer) - 1] ?? accounts.find(({ id, name }) => id === answer || name === answer);
		if (chosen) return chosen;
		say('  Enter the number, name or id of an account in the list.');
	}
}

function sameAs(saved: string | undefined, file: string, account: Account): Account {
	if (saved === undefined || saved === account.id) return account;
	throw new Failure(`${file} is for the account ${saved}. Use another file for another account: --config <name>.deploy.toml`);
}
