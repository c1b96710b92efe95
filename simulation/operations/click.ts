import { recordClick } from '../../src/clicks/record-click.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { aVisitor, insist, type Operation } from './operation.ts';

const PAGE = {
	pageUrl: 'https://shop.example/',
	pageTitle: null,
	sessionId: null,
	language: 'en',
	timezone: null,
};

/** The referrers of visitors, in rotation. */
const ORIGINS = [
	{ country: 'DE', referrerUrl: 'https://www.search.example/?q=shoes' },
	{ country: null, referrerUrl: null },
	{ country: 'US', referrerUrl: 'https://search.example/' },
	{ country: 'DE', referrerUrl: 'android-app://com.example.News/' },
	{ country: 'FR', referrerUrl: 'https://blog.example/post' },
	{ country: null, referrerUrl: 'https://forum.example/' },
];

/** The partner's own values in links, in rotation. */
const SUB_IDS = ['&sub_id=first', '&sub_id=second', '', '', ''];

export const click: Operation = { kind: 'click', weight: 10, races: true, run: follow };

async function follow(sim: Simulation, random: Random): Promise<void> {
	// No two clicks of a link have the same time, by which erased ones are known in their files.
	sim.now += 1;
	const visitor = aVisitor(sim, random);
	const link = WORLD.links[random.below(random.chance(0.7) ? 3 : sim.theme.links)] ?? random.pick(WORLD.links);
	const report = {
		affiliateUrl: `https://shop.example/?aff=${link.shortLink}${SUB_IDS[sim.journal.requests.length % SUB_IDS.length] ?? ''}`,
		isTest: random.chance(0.1),
		existingClickId: random.chance(0.3) ? sim.visits.get(visitor)?.clickId : undefined,
		page: {
			...PAGE,
			...(ORIGINS[sim.journal.requests.length % ORIGINS.length] ?? { country: null, referrerUrl: null }),
			userAgent: random.chance(0.1)
				? 'Mozilla/5.0 (compatible; Googlebot/2.1)'
				: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
		},
	};
	await insist(random, async () => {
		const request = await sim.request('click', { report }, (ctx) => recordClick(ctx, report, undefined));
		if (request.answer?.state === 'answered') {
			const { clickId } = request.answer.receipt;
			const known = sim.issuedClicks.get(clickId);
			const visit = known ?? { clickId, linkId: link.id, clickedAt: request.now, isTest: report.isTest };
			sim.issuedClicks.set(clickId, visit);
			sim.visits.set(visitor, visit);
		}
		return request;
	});
}
