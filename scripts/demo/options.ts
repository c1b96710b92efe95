import { parseArgs } from 'node:util';
import { type DemoWorld, demoFile, readDemoWorld } from './world.ts';
import { Failure } from '../../testing/failure.ts';

/** The demo world that the arguments of `npm run <script>` lead to. Fails where there is none yet. */
export function worldOfArguments(script: string): DemoWorld {
	const values = readOptions(script);
	const world = readDemoWorld(demoFile(values['persist-to']));
	if (!world) throw new Failure('There is no demo program yet. Start the service first, in another terminal: npm run dev');
	const local = values.port === undefined ? undefined : `http://127.0.0.1:${values.port}`;
	return { ...world, url: values.url?.replace(/\/+$/, '') ?? local ?? world.url };
}

function readOptions(script: string) {
	try {
		return parseArgs({ options: { port: { type: 'string' }, url: { type: 'string' }, 'persist-to': { type: 'string' } } }).values;
	} catch (error) {
		throw new Failure(
			`${error instanceof Error ? error.message : String(error)}\nnpm run ${script} takes --port, --url and --persist-to, all optional.`,
		);
	}
}
