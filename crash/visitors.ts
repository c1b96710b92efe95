import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../testing/random.ts';
import type { Journal } from './journal.ts';
import type { Send } from './send.ts';
import type { ServerProcess } from './server-process.ts';
import type { World } from './shops.ts';

const AT_ONCE = 25;
const STORED_LIMIT_MS = 60_000;

/**
 * People who only click, and whose clicks are stored before the first kill. The local queue loses most clicks at a kill, so without them
 * there would be hardly any clicks to retire.
 */
export async function visit(server: ServerProcess, send: Send, count: number, { world, random, journal }: Visits): Promise<void> {
	const shops = world.shops.filter(({ retiresClicks }) => retiresClicks);
	const click = async () => {
		const partner = random.pick(random.pick(shops).partners);
		const request = { affiliate_url: `https://shop.example/?aff=${partner.shortLink}` };
		const { status, body } = await send({ path: '/api/v1/track/click', token: undefined, request });
		if (status !== 200) throw new Error(`A click was answered ${status}: ${JSON.stringify(body)}`);
		journal.clicks.push(String(body['click_id']));
	};
	for (let left = count; left > 0; left -= AT_ONCE) await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, click));
	const limit = performance.now() + STORED_LIMIT_MS;
	while ((await server.storedClicks()) < count) {
		if (performance.now() > limit) throw new Error('The clicks were not stored in time');
		await sleep(50);
	}
}

interface Visits {
	readonly world: World;
	readonly random: Random;
	readonly journal: Journal;
}
