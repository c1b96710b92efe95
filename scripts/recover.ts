import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { newToken, sha256Hex } from '../src/secrets.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { answerIn, runWrangler } from '../testing/wrangler.ts';
import { DEPLOY_FILE, readDeployFile, urlIn } from './deploy/config.ts';
import { demoFile, readDemoWorld } from './demo/world.ts';
import { recoveryStatements } from './recovery.ts';

// npm run recover -- --email <address> [--remote]: lets the operator create a password reset link for somebody who cannot receive email.

const USAGE =
	'npm run recover -- --email <address> [--remote [--config <deploy file>]] [--persist-to <folder>]\n--remote is for the deployed service; --persist-to is the folder of a local one.';
const NOT_DEPLOYED = `${basename(DEPLOY_FILE)} is missing. npm run deploy creates or restores it. For another file: --config <file>`;

const Answers = z.array(z.object({ results: z.array(z.object({ name: z.optional(z.string()) })) }));

await runScript(async () => {
	const { email, isRemote, file, persistTo } = readOptions();
	const token = newToken('rst');
	const sql = recoveryStatements(email, await sha256Hex(token), Date.now()).join(';\n');
	const deployed = isRemote ? readDeployFile(file) : undefined;
	if (isRemote && !deployed) throw new Failure(NOT_DEPLOYED);
	const where = deployed ? 'on the deployed service' : 'in the local database';
	const name = await execute(sql, deployed ? ['--remote', '--env=', '--config', file] : localOptions(persistTo));
	if (name === undefined) {
		const other = isRemote ? '' : '\nAdd --remote for the deployed service.';
		throw new Failure(`No active person has the address ${email} ${where}. Nothing was changed.${other}`);
	}
	const url = deployed ? urlIn(deployed) : (readDemoWorld(demoFile(persistTo))?.url ?? 'http://127.0.0.1:8787');
	console.log(`
${name} (${email}) ${where} can set a new password with this token. It works once, for an hour:

  ${token}

This ends all sessions of that person. In a browser:

  ${url}/reset-password#token=${token}

Or with this command, with the new password in place of the dots:

curl ${url}/api/v1/auth/password-reset/confirm -H 'Content-Type: application/json' \\
  -d '{"token": "${token}", "new_password": "..."}'
`);
	return 0;
});

function readOptions(): { email: string; isRemote: boolean; file: string; persistTo: string | undefined } {
	const options = {
		email: { type: 'string' },
		remote: { type: 'boolean' },
		config: { type: 'string' },
		'persist-to': { type: 'string' },
	} as const;
	const { values } = parse(() => parseArgs({ options }));
	const email = values.email?.trim().toLowerCase() ?? '';
	if (!/^[^\s@]+@[^\s@]+$/.test(email) || /\p{Cc}/u.test(email)) throw new Failure(`Give the person's email address.\n${USAGE}`);
	const file = values.config === undefined ? DEPLOY_FILE : resolve(values.config);
	return { email, isRemote: values.remote ?? false, file, persistTo: values['persist-to'] };
}

function parse<Parsed>(read: () => Parsed): Parsed {
	try {
		return read();
	} catch (error) {
		throw new Failure(`${error instanceof Error ? error.message : 'Unknown option'}\n${USAGE}`);
	}
}

function localOptions(persistTo: string | undefined): string[] {
	return ['--local', '--env', 'dev', ...(persistTo === undefined ? [] : ['--persist-to', persistTo])];
}

/** Waits while a running service is writing to the local database. */
async function runPatiently(command: readonly string[], tries = 5): Promise<Awaited<ReturnType<typeof runWrangler>>> {
	const finished = await runWrangler(command, 'collect');
	if (tries === 1 || !finished.output.includes('SQLITE_BUSY')) return finished;
	await sleep(1_000);
	return runPatiently(command, tries - 1);
}

/** Returns the person's name, or undefined if nobody has the address. */
async function execute(sql: string, where: readonly string[]): Promise<string | undefined> {
	const finished = await runPatiently(['d1', 'execute', 'DB', ...where, '--yes', '--json', `--command=${sql}`]);
	if (/no such table/.test(finished.output)) {
		throw new Failure(
			where.includes('--remote')
				? 'The deployed database has no tables yet. Run npm run deploy.'
				: 'There is no local database yet. Run npm run dev.',
		);
	}
	if (finished.code !== 0) throw new Failure(`Could not reach the database:\n${finished.output}`);
	const answers = Answers.parse(answerIn(finished));
	return answers.at(-1)?.results[0]?.name;
}
