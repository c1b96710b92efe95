import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';
import { exitOf, type Finished } from '../../testing/wrangler.ts';

/** Packs the SDK and installs the tarball into a new ES module project, without a registry. Returns the package's folder. */
export async function installPackedSdk(project: string): Promise<string> {
	mkdirSync(project, { recursive: true });
	writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
	await npm(ROOT, 'run', 'pack:sdk', '--', '--pack-destination', project);
	const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'));
	if (tarball === undefined) throw new Failure('npm run pack:sdk created no tarball.');
	await npm(project, 'install', '--offline', '--no-audit', '--no-fund', `./${tarball}`);
	return join(project, 'node_modules/affiliate-tracker');
}

export async function runIn(cwd: string, command: string, ...args: string[]): Promise<Omit<Finished, 'stdout'>> {
	const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	const code = await exitOf(child);
	return { code, output };
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
	const { code, output } = await runIn(cwd, 'npm', ...args);
	if (code !== 0) throw new Failure(`npm ${args[0]} failed:\n${output}`);
}
