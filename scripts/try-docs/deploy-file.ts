import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';
import { readDeployFile, templateFor, textOf, updated, writeDeployFile } from '../deploy/config.ts';

/** Checks that wrangler accepts these lines at the top of a wrangler.deploy.toml, and that the next deployment keeps them. */
export function tryDeployLines(lines: string, folder: string): void {
	const file = join(folder, 'wrangler.deploy.toml');
	mkdirSync(folder, { recursive: true });
	const template = templateFor(join(ROOT, 'wrangler.toml'), 'affiliate-tracker', file);
	writeFileSync(file, `${lines}\n${textOf({ config: template, base: template })}`);
	const taken = routesIn(file);
	if (taken === '[]') throw new Failure('wrangler finds no routes in the file');
	const read = readDeployFile(file);
	if (!read) throw new Failure('the file is gone');
	writeDeployFile(file, { ...read, config: updated(read, template) });
	if (routesIn(file) !== taken) throw new Failure(`the next deployment would change it to:\n${readFileSync(file, 'utf8')}`);
}

function routesIn(file: string): string {
	return JSON.stringify(unstable_readConfig({ config: file }).routes ?? []);
}
