import type { IncomingMessage, ServerResponse } from 'node:http';
import { call } from './api.ts';
import { type DemoWorld, readDemoWorld, signIn } from './world.ts';

const PATH = '/docs/try.json';
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** The credentials for the "Try it" forms of the reference (docs/site/try.js). `npm run dev` prints them too. */
interface Callers {
	readonly programId: number;
	readonly link: string;
	readonly key: string;
	readonly owner: string;
	readonly partner?: string;
}

/** Serves the demo world's credentials to those forms. Returns false for any other request. */
export function tryAnswerer(file: string): (request: IncomingMessage, response: ServerResponse) => boolean {
	let callers: Promise<Callers> | undefined;

	async function answer(response: ServerResponse, world: DemoWorld): Promise<void> {
		const known = await callers?.catch(() => undefined);
		const isGood = known?.key === world.apiToken && (await call(world.url, '/api/v1/me', { token: known.owner })).status === 200;
		if (!isGood) callers = callersOf(world);
		const body = JSON.stringify(await callers);
		response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body);
	}

	return (request, response) => {
		const world = request.url === PATH && isOwnPage(request) ? readDemoWorld(file) : undefined;
		if (!world) return false;
		answer(response, world).catch(() => response.writeHead(404).end());
		return true;
	};
}

/** Whether the call comes from one of this service's pages, in a browser on this machine. The Host check prevents DNS rebinding. */
function isOwnPage({ headers, socket }: IncomingMessage): boolean {
	return LOOPBACK.test(socket.remoteAddress ?? '') && LOCAL_HOST.test(headers.host ?? '') && headers['sec-fetch-site'] === 'same-origin';
}

async function callersOf(world: DemoWorld): Promise<Callers> {
	const { programId, shortLink: link, apiToken: key, partnerEmail } = world;
	const owner = await signIn(world);
	if (partnerEmail === undefined) return { programId, link, key, owner };
	return { programId, link, key, owner, partner: await signIn({ ...world, email: partnerEmail }) };
}
