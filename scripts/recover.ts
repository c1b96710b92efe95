import { parseArgs } from 'node:util';
import * as z from 'zod';
import { newToken, sha256Hex } from '../src/secrets.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { runWrangler } from '../testing/wrangler.ts';
import { demoFile, readDemoWorld } from './demo/world.ts';
import { recoveryStatements } from './recovery.ts';

// npm run recover -- --email <address> [--remote]: a new password for who has lost theirs, by whoever holds the Cloudflare account.

const USAGE = 'npm run recover -- --email <address> [--remote, for the deployed service] [--persist-to <folder>, as npm run dev]';
const DEPLOYED = 'https://affiliate-tracker.<your-subdomain>.workers.dev';

const Answers = z.array(z.object({ results: z.array(z.object({ name: z.optional(z.string()) })) }));

await runScript(async () => {
	const { email, isRemote, persistTo } = readOptions();
	const token = newToken('rst');
	const sql = recoveryStatements(email, await sha256Hex(token), Date.now()).join(';\n');
	const name = await execute(sql, isRemote, persistTo);
	const where = isRemote ? 'on the deployed service' : 'in the local database';
	if (name === undefined) {
		const other = isRemote ? '' : '\nFor the deployed service add --remote.';
		throw new Failure(`Nobody active has the address ${email} ${where}. Nothing was changed.${other}`);
	}
	const url = isRemote ? DEPLOYED : (readDemoWorld(demoFile(persistTo))?.url ?? 'http://127.0.0.1:8787');
	console.log(`
${name} (${email}) ${where} can set a new password with this token, once, within the hour:

  ${token}

That ends every session that there is. In a browser:

  ${url}/reset-password#token=${token}

Or by this command, with the new password in place of the dots:

curl ${url}/api/v1/auth/password-reset/confirm -H 'Content-Type: application/json' \\
  -d '{"token": "${token}", "new_password": "..."}'
`);
	return 0;
});

function readOptions(): { email: string; isRemote: boolean; persistTo: string | undefined } {
	const options = { email: { type: 'string' }, remote: { type: 'boolean' }, 'persist-to': { type: 'string' } } as const;
	const { values } = parse(() => parseArgs({ options }));
	const email = values.email?.trim().toLowerCase() ?? '';
	if (!/^[^\s@]+@[^\s@]+$/.test(email) || /\p{Cc}/u.test(email)) throw new Failure(`Whose password is it?\n${USAGE}`);
	return { email, isRemote: values.remote ?? false, persistTo: values['persist-to'] };
}

function parse<Parsed>(read: () => Parsed): Parsed {
	try {
		return read();
	} catch (error) {
		throw new Failure(`${error instanceof Error ? error.message : 'Unknown option'}\n${USAGE}`);
	}
}

/** The name of the person, where the link was made. */
async function execute(sql: string, isRemote: boolean, persistTo: string | undefined): Promise<string | undefined> {
	const local = ['--local', '--env', 'dev', ...(persistTo === undefined ? [] : ['--persist-to', persistTo])];
	const { code, output } = await runWrangler(
		['d1', 'execute', 'DB', ...(isRemote ? ['--remote', '--env='] : local), '--yes', '--json', `--command=${sql}`],
		'collect',
	);
	if (/no such table/.test(output)) {
		throw new Failure(isRemote ? 'The deployed database has no tables yet: npm run deploy' : 'There is no local service yet: npm run dev');
	}
	if (code !== 0) throw new Failure(`The database could not be reached:\n${output}`);
	const answers = Answers.parse(JSON.parse(output.slice(output.indexOf('['))));
	return answers.at(-1)?.results[0]?.name;
}
