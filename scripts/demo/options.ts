import { parseArgs } from 'node:util';
import { type DemoWorld, demoFile, readDemoWorld } from './world.ts';
import { Failure } from '../../testing/failure.ts';

/** The demo world selected by the arguments of `npm run <script>`. Fails if none exists yet. */
export function worldOfArguments(script: string): DemoWorld {
	return worldOf(readOptions(script));
}

/** The same world, plus the value of one more option, which defaults to the first name. */
export function choiceOfArguments<Name extends string>(script: string, option: string, names: readonly [Name, ...Name[]]) {
	const { [option]: wanted = names[0], ...values } = readOptions(script, option);
	const chosen = names.find((name) => name === wanted);
	if (chosen === undefined) throw new Failure(`--${option} must be one of ${names.join(', ')}`);
	return { world: worldOf(values), chosen };
}

function worldOf(values: Options): DemoWorld {
	const world = readDemoWorld(demoFile(values['persist-to']));
	if (!world) throw new Failure('There is no demo program yet. Start the service first, in another terminal: npm run dev');
	const local = values['port'] === undefined ? undefined : `http://127.0.0.1:${values['port']}`;
	return { ...world, url: values['url']?.replace(/\/+$/, '') ?? local ?? world.url };
}

type Options = Readonly<Record<string, string | undefined>>;

function readOptions(script: string, ...more: readonly string[]): Options {
	const names = [...more, 'port', 'url', 'persist-to'];
	try {
		const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])) });
		return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]));
	} catch (error) {
		const options = names.map((name) => `--${name}`);
		throw new Failure(
			`${error instanceof Error ? error.message : String(error)}\nnpm run ${script} takes ${options.slice(0, -1).join(', ')} and ${options.at(-1)}, all optional.`,
		);
	}
}
