import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';

const FILE = join(ROOT, '.dev.vars');
const SHORTEST_SECRET = 16;

/** Creates .dev.vars from the example file if it is missing. Returns whether it did. */
export function ensureDevVars(): boolean {
	const isNew = !existsSync(FILE);
	if (isNew) {
		const example = readFileSync(join(ROOT, '.dev.vars.example'), 'utf8');
		writeFileSync(
			FILE,
			fillIn(example, () => randomBytes(24).toString('hex')),
			{ mode: 0o600 },
		);
	}
	readLocalSecrets();
	return isNew;
}

/** The local SECRETS. Fails if it is missing or too short. */
export function readLocalSecrets(): string {
	if (!existsSync(FILE)) throw new Failure('There is no .dev.vars yet. Start the service first: npm run dev');
	const secrets = parseEnv(readFileSync(FILE, 'utf8'))['SECRETS'] ?? '';
	if (secrets.split(',').some((secret) => secret.trim().length < SHORTEST_SECRET)) {
		throw new Failure(
			`SECRETS in .dev.vars must be one or more strings of at least ${SHORTEST_SECRET} characters, separated by commas.\n` +
				'Correct them, or delete .dev.vars and start again to create a new one.',
		);
	}
	return secrets;
}

/** Fills every empty variable with a random value. */
export function fillIn(example: string, random: () => string): string {
	return example.replace(/^(\w+)=[ \t]*$/gm, (_, name: string) => `${name}=${random()}`);
}
