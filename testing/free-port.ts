import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Failure } from './failure.ts';

// Below the ports that Linux and macOS give to outgoing connections, one of which could take the port before the server that it is for.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const TRIES = 100;

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
	for (let attempt = 0; attempt < TRIES; attempt += 1) {
		const port = randomInt(FIRST_PORT, LAST_PORT);
		if (await isFree(port)) return port;
	}
	throw new Failure(`None of ${TRIES} ports from ${FIRST_PORT} to ${LAST_PORT} is free on this machine.`);
}

/** Whether a server could listen on this port now. */
export function isFree(port: number): Promise<boolean> {
	const probe = createServer();
	return new Promise((resolve) => {
		probe.once('error', () => resolve(false));
		probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
	});
}
