import { setPage } from '../../../testing/service/outside.ts';
import { AGENTS } from './cast.ts';
import { fieldOf } from './service-client.ts';
import { type Journey, travel } from './journeys.ts';
import { signIn } from './people.ts';
import { partnerAddress, SHOWN_PARTNER } from './partners.ts';
import type { Shop } from './shop.ts';
import { at, type Stage } from './stage.ts';

const LAPTOP = 'http://localhost:5173';

/** Plans the rare events of three months, such as tests, mistakes, a key rotation and an erasure. */
export function planOdds(stage: Stage, shop: Shop): void {
	planTests(stage, shop);
	planMistakes(stage, shop);
	planKey(stage, shop);
	planErasure(stage, shop);
	planReading(stage, shop);
	planDeadLetters(stage, shop);
	planProof(stage, shop);
}

/** Verifies the shop's domain with a file on its site. */
function planProof(stage: Stage, shop: Shop): void {
	stage.agenda.add(at(stage, 0, 9, 40), async () => {
		const { file } = await shop.manage('/domain');
		setPage(String(fieldOf(file, 'url')), String(fieldOf(file, 'content')));
		await shop.manage('/domain/verify', {});
	});
}

function planTests(stage: Stage, shop: Shop): void {
	const { agenda, client } = stage;
	for (const day of [1, 62, 84]) {
		agenda.add(at(stage, day, 15, 5), async () => {
			await client.call('/api/v1/cli/test-event', { token: shop.key, body: { type: 'chain' } });
			const visit = { shortLink: shop.shortLink('espresso-atlas'), agent: AGENTS[4], country: 'US', isTest: true };
			const click_id = await shop.click(visit);
			await shop.trackTest('lead', { click_id, customer_key: 'test-customer' });
			await shop.trackTest('sale', { transaction_id: `TEST-${day}`, amount_cents: 18_00, customer_key: 'test-customer' });
			await shop.trackTest('refund', { transaction_id: `TEST-${day}`, refund_amount_cents: 18_00 });
		});
	}
}

/** Refused calls, such as a shop's backend makes now and then. */
function planMistakes(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	const sale = (fields: Readonly<Record<string, unknown>>) => ({ transaction_id: shop.newOrder(), amount_cents: 42_50, ...fields });
	for (const [index, day] of [14, 33, 64, 70, 77, 82, 85, 87, 88].entries()) {
		agenda.add(at(stage, day, 11, 3), async () => {
			await shop.track('sale', sale({ customer_key: `guest-${day}` }), 400);
			await shop.track('refund', { transaction_id: `NW-9${day}`, refund_amount_cents: 10_00 }, 404);
			if (index % 2 === 0) await shop.track('sale', sale({ customer_key: 'user-1002', amount_cents: 18.5 }), 400);
			if (index % 3 === 0) await shop.track('lead', { click_id: `cust_${day}_1` }, 400);
			// A customer without a partner.
			const direct = { customer_key: `direct-${day}` };
			await shop.track('lead', { ...direct, email: `direct${day}@mail.example` });
			await shop.track('sale', sale(direct), 400);
		});
	}
	agenda.add(at(stage, 86, 11), () =>
		shop.page('click', { affiliate_url: `https://beta-${shop.domain}/?aff=espresso-atlas` }, `https://beta-${shop.domain}`, 403),
	);
	agenda.add(at(stage, 2, 11), () => shop.page('click', { affiliate_url: `${LAPTOP}/?aff=espresso-atlas` }, LAPTOP));
}

/** The key is revealed once. Later it is rotated, and the old key stays valid for a while. */
function planKey(stage: Stage, shop: Shop): void {
	const { agenda, password } = stage;
	agenda.add(at(stage, 0, 9, 28), () => shop.manage('/api-token/reveal', { password }));
	agenda.add(at(stage, 52, 10), async () => {
		const { api_token: key } = await shop.manage('/api-token', { password, overlap_hours: 72 });
		agenda.add(at(stage, 53, 14), async () => void (shop.key = String(key)));
	});
}

function planErasure(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	const journey: Journey = {
		slug: 'slow-pour',
		comes: 28,
		sale: { on: 29, cents: 82_00, product: 'pour-over-kit' },
		refund: { on: 33, cents: 18_00, reason: 'Broken cup' },
	};
	const somebody = travel(stage, shop, journey);
	agenda.add(at(stage, 76, 9, 10), () => shop.manage('/customers/export', { customer_key: somebody.customerKey }));
	agenda.add(at(stage, 76, 9, 20), () => shop.manage('/customers/erase', { customer_key: somebody.customerKey }));
}

/** The owner and a partner have read their older notifications but not the newest. */
function planReading(stage: Stage, shop: Shop): void {
	const { agenda, client } = stage;
	const readAll = (token: string) => client.call('/api/v1/notifications', { method: 'PATCH', token, body: {} });
	for (const day of [20, 52, 79]) agenda.add(at(stage, day, 17), () => readAll(shop.session));
	agenda.add(at(stage, 81, 20), async () => readAll(await signIn(client, partnerAddress(SHOWN_PARTNER), stage.password, 20)));
	agenda.add(at(stage, 89, 0, 5), () => client.call('/api/v1/me', { token: shop.session }));
}

/** Plans two dead letters: a click, which the owner replays, and a message of an unknown kind, which stays. */
function planDeadLetters(stage: Stage, shop: Shop): void {
	const { agenda, client } = stage;
	const nothing = { pageTitle: null, sessionId: null, userAgent: null, language: null, timezone: null, country: 'US' };
	agenda.add(at(stage, 68, 20, 40), async () => {
		const clickId = await shop.click({ shortLink: shop.shortLink('slow-pour'), agent: AGENTS[1], country: 'US' });
		const link = await shop.list(`/links?partner_id=${shop.partner('slow-pour')}`);
		await client.giveUp({
			version: 1,
			kind: 'click',
			clickId,
			programId: shop.id,
			referralLinkId: Number(link[0]?.['id']),
			isTest: false,
			isBot: false,
			clickedAt: Date.now(),
			pageUrl: `https://${shop.domain}/`,
			referrerUrl: null,
			...nothing,
		});
		const [deadLetter] = await client.listOf('/api/v1/dead-letters', { token: shop.session });
		const path = `/api/v1/dead-letters/${Number(deadLetter?.['id'])}/replay`;
		await client.dataOf(path, { method: 'POST', token: shop.session });
	});
	agenda.add(at(stage, 88, 20, 40), () => client.giveUp({ version: 0, kind: 'a kind of an earlier version' }));
}
