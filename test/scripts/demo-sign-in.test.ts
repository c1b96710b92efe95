import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type DemoWorld, signIn } from '../../scripts/demo/world.ts';

const WORLD: Omit<DemoWorld, 'url'> = {
	email: 'demo@example.com',
	password: 'the one of before',
	programId: 1,
	apiToken: 'prg_none',
	partnerId: 1,
	referralLinkId: 1,
	shortLink: 'demo',
};

test.each([
	[401, 'The password of demo@example.com was changed. Restart `npm run dev` to create another demo program.'],
	[429, 'The sign-in of demo@example.com failed with 429: {"error":"no"}'],
])("if the demo's sign-in gets %i, it says what to do", async (status, message) => {
	const server = createServer((_request, response) => response.writeHead(status).end('{"error":"no"}'));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = z.object({ port: z.int() }).parse(server.address());
	await expect(signIn({ ...WORLD, url: `http://127.0.0.1:${port}` })).rejects.toThrow(message);
	await new Promise((resolve) => server.close(resolve));
});
