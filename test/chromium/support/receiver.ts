import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Received {
	readonly id: string;
	readonly signatures: readonly string[];
	readonly body: { readonly type: string; readonly test: boolean };
}

export interface Receiver {
	readonly url: string;
	/** In order of arrival, regardless of the response. */
	readonly received: readonly Received[];
	/** The response to every delivery from now on. */
	answer: { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };
	stop(): Promise<void>;
}

/** Receives deliveries on this machine. */
export async function openReceiver(): Promise<Receiver> {
	const received: Received[] = [];
	const server = createServer((request, response) => void take(request, response));
	const take = async (request: IncomingMessage, response: ServerResponse) => {
		const { 'webhook-id': id, 'webhook-signature': signatures } = request.headers;
		received.push({ id: String(id), signatures: String(signatures).split(' '), body: JSON.parse(await text(request)) });
		const { status, headers = {}, body } = receiver.answer;
		response.writeHead(status, headers).end(body);
	};
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
	const receiver: Receiver = {
		url: `http://127.0.0.1:${address.port}/in`,
		received,
		answer: { status: 200 },
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return receiver;
}
