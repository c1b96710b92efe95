import { connect, type Socket } from 'node:net';

/** The bytes of an HTTP request. */
export type Request = Buffer;

export interface Load {
	readonly elapsedMs: number;
	/** ms per request, ascending. */
	readonly latencies: Float64Array;
}

const HEAD_END = Buffer.from('\r\n\r\n');

export function httpRequest(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body = ''): Request {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	const length = method === 'POST' ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` : '';
	return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: bench.test\r\n${lines.join('')}${length}\r\n${body}`);
}

/**
 * Sends requests over keep-alive connections, one at a time on each. It does not use fetch, which would need more CPU than the service.
 * Throws on the first response that is not 200.
 */
export async function applyLoad(url: URL, connections: number, requests: number, next: () => Request): Promise<Load> {
	const latencies = new Float64Array(requests);
	let sent = 0;
	let answered = 0;
	const sockets = await Promise.all(Array.from({ length: Math.min(connections, requests) }, () => open(url)));
	const start = performance.now();
	try {
		await Promise.all(
			sockets.map(
				(socket) =>
					new Promise<void>((resolve, reject) => {
						let sentAt = 0;
						const send = () => {
							if (sent === requests) return resolve();
							sent += 1;
							const request = next();
							sentAt = performance.now();
							socket.write(request);
						};
						socket.once('error', reject);
						socket.once('close', () => reject(new Error('The connection was closed')));
						onAnswers(socket, (problem) => {
							latencies[answered] = performance.now() - sentAt;
							answered += 1;
							if (problem === undefined) send();
							else reject(new Error(problem));
						});
						send();
					}),
			),
		);
		return { elapsedMs: performance.now() - start, latencies: latencies.toSorted() };
	} finally {
		for (const socket of sockets) socket.removeAllListeners('close').destroy();
	}
}

/** The latency that this share of the requests did not exceed. */
export function quantile({ latencies }: Load, share: number): number {
	return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
}

function open(url: URL): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
		socket.once('error', reject);
		socket.once('connect', () => {
			socket.removeListener('error', reject);
			resolve(socket);
		});
	});
}

/** Calls `answered` after each response, with its text if the status is not 200. */
function onAnswers(socket: Socket, answered: (problem: string | undefined) => void): void {
	let received: Buffer = Buffer.alloc(0);
	socket.on('data', (chunk: Buffer) => {
		received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
		const length = lengthOf(received);
		if (length === undefined || received.length < length) return;
		const isOk = received.toString('latin1', 9, 12) === '200';
		const problem = isOk ? undefined : received.toString('utf8');
		received = Buffer.alloc(0);
		answered(problem);
	});
}

/** The length of the whole response; undefined until its headers are complete. */
function lengthOf(received: Buffer): number | undefined {
	const end = received.indexOf(HEAD_END);
	if (end === -1) return undefined;
	const head = received.toString('latin1', 0, end);
	const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
	if (length === undefined) throw new Error(`The response has no Content-Length: ${head}`);
	return end + HEAD_END.length + Number(length);
}
