import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, runScript } from '../testing/failure.ts';
import { runIn } from './sdk/packed-sdk.ts';
import { ROOT } from '../testing/root.ts';

// npm run pack:sdk: packs the SDK as a package for ES modules and CommonJS. Arguments are passed to `npm pack`.

const PACKAGE = join(ROOT, 'dist/sdk');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

await runScript(async () => {
	rmSync(PACKAGE, { recursive: true, force: true });
	for (const config of ['tsconfig.json', 'tsconfig.cjs.json']) {
		await run(ROOT, process.execPath, TSC, '-p', join('src/sdk', config));
	}
	// The compiler keeps `.ts` in the imports of declaration files, which older compilers reject.
	for (const folder of ['esm', 'cjs']) renameImports(join(PACKAGE, folder));
	// The package itself has `"type": "module"`.
	writeJson('cjs/package.json', { type: 'commonjs' });
	// For TypeScript's moduleResolution node10 and old bundlers, which do not read `exports`.
	writeJson('sdk/package.json', { main: '../cjs/index.js', module: '../esm/index.js', types: '../cjs/index.d.ts' });
	cpSync(join(ROOT, 'src/sdk/package'), PACKAGE, { recursive: true });
	cpSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
	const output = await run(process.env['INIT_CWD'] ?? ROOT, 'npm', 'pack', PACKAGE, '--silent', ...process.argv.slice(2));
	console.log(output.trim().split('\n').at(-1));
	return 0;
});

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
	const { code, output } = await runIn(cwd, command, ...args);
	if (code !== 0) throw new Failure(`${[command, ...args].join(' ')} failed:\n${output}`);
	return output;
}

/** `./errors.ts` becomes `./errors.js` in declaration files. */
function renameImports(folder: string): void {
	for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
		const file = join(folder, name);
		writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/( from '\.\/[a-z-]+)\.ts'/g, "$1.js'"));
	}
}

function writeJson(name: string, value: object): void {
	mkdirSync(join(PACKAGE, name, '..'), { recursive: true });
	writeFileSync(join(PACKAGE, name), `${JSON.stringify(value, null, '\t')}\n`);
}
