import { buildDocument } from '../../src/openapi/document.ts';
import type { Recorded } from '../../src/openapi/responses.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { sendExamples, statusOf } from '../../testing/openapi/send-examples.ts';
import { openService } from '../../testing/service/service.ts';
import { standStill } from '../../testing/service/still.ts';
import { prepareWorld } from '../../testing/openapi/world.ts';

/** Builds the document from the code, and sends its examples to a service running in this process. */
export async function currentDocument(): Promise<string> {
	return `${JSON.stringify(buildDocument(await record()), null, '\t')}\n`;
}

async function record(): Promise<Recorded[]> {
	return standStill('2026-11-20T09:00:00Z', async () => {
		const world = await prepareWorld(openService(nodeBindings()));
		const recorded: Recorded[] = [];
		for await (const sent of sendExamples(world)) {
			if (sent.status !== statusOf(sent)) {
				throw new Error(`The example ${sent.operationId} ${sent.example.name} got the status ${sent.status}: ${sent.text}`);
			}
			recorded.push({ ...sent, answer: withRoundSize(sent.answer) });
		}
		return recorded;
	});
}

const ROUND_BYTES = 1_000_000;

/** Every migration changes the database size, which should not change the document. */
function withRoundSize(answer: unknown): unknown {
	return JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
		name === 'bytes' && typeof value === 'number' ? ROUND_BYTES : value,
	);
}
