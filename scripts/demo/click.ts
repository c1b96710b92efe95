import { randomInt } from 'node:crypto';
import { formatClickId, NONCE_LIMIT } from '../../src/domain/attribution/click-id.ts';
import { openSecrets } from '../../src/secrets.ts';
import type { DemoWorld } from './world.ts';
import { readLocalSecrets } from './dev-vars.ts';

const DAY_MS = 86_400_000;

/** Signs a click id with the local secret, as if the service had issued it days ago. */
export async function clickOf(world: DemoWorld, daysAgo: number): Promise<string> {
	const click = {
		referralLinkId: world.referralLinkId,
		clickedAt: Date.now() - daysAgo * DAY_MS,
		nonce: randomInt(NONCE_LIMIT),
		isTest: false,
	};
	return formatClickId(click, await openSecrets(readLocalSecrets()).clickMac(click));
}
