import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUIDES, readGuide } from '../../scripts/docs/guides.ts';
import { buildSite } from '../../scripts/docs/site.ts';
import { ROOT } from '../../testing/root.ts';

/** The module that the pages load, which is plain JavaScript. */
interface Search {
	readonly search: (entries: readonly unknown[], query: string) => { readonly entry: readonly [string, string] }[];
}

/** What a reader sees without scrolling. */
const SEEN = 3;

const { search }: Search = await import(join(ROOT, 'docs/site/search.js'));
const entries: unknown[] = JSON.parse(buildSite().get('search.json') ?? '');

function addressesFor(query: string): string[] {
	return search(entries, query).map(({ entry: [address] }) => address);
}

/** What somebody types, and the page or the part of one that is to be seen at once. */
test.each([
	['api key', 'security'],
	['attribution', 'how-it-works'],
	['backup', 'operations'],
	['chargeback', 'refunds'],
	['consent', 'browser#consent'],
	['cookie', 'browser'],
	['cors', 'troubleshooting'],
	['cost', 'operations'],
	['coupon', 'coupons'],
	['csv', 'reports'],
	['custom domain', 'own-domain'],
	['discount code', 'coupons'],
	['duplicate', 'guarantees'],
	['forgot password', 'people'],
	['gdpr', 'privacy'],
	['how do I delete a customer?', 'privacy'],
	['how much does it cost', 'operations'],
	['idempotency', 'guarantees'],
	['install', 'quick-start'],
	['next.js', 'nextjs'],
	['nextjs', 'nextjs'],
	['no click', 'troubleshooting'],
	['paddle', 'paddle'],
	['partner portal', 'partners'],
	['partnerId required', 'troubleshooting#the-sale-says-partnerid-required-to-create-commission'],
	['payout', 'payouts'],
	['PayPal', 'payouts'],
	['rate limit', 'security'],
	['react', 'single-page-apps'],
	['refund', 'refunds'],
	['renewal', 'troubleshooting#a-renewal-earned-nothing'],
	['restore', 'operations#restore'],
	['Rewardful', 'migration'],
	['roles', 'people'],
	['sandbox', 'test-mode'],
	['stripe', 'stripe'],
	['subscriptions', 'stripe'],
	['team', 'people'],
	['test mode', 'test-mode'],
	['typescript', 'sdk'],
	['upgrade', 'operations#upgrades'],
	['webhook', 'stripe'],
	['webhook signature', 'custom-webhook'],
	['wise', 'payouts'],
	['create coupon', 'reference/partners#createCoupon'],
	['record a sale', 'reference/tracking#trackSale'],
	['trackSale', 'reference/tracking#trackSale'],
])('who searches for “%s” sees %s', (query, wanted) => {
	expect(addressesFor(query).slice(0, SEEN)).toContain(`/docs/${wanted}`);
});

test.each(GUIDES)('%s is found first by its title, and seen by each of its keywords', (name) => {
	const { title, keywords } = readGuide(name);
	expect(addressesFor(title)[0]).toBe(`/docs/${name}`);
	const unseen = keywords
		.split(', ')
		.filter((keyword) => keyword !== '' && !addressesFor(keyword).slice(0, SEEN).includes(`/docs/${name}`));
	expect(unseen).toEqual([]);
});

test('a word that is nowhere does not hide what the others find; nothing is found for nothing but such words', () => {
	expect(addressesFor('paypal xyzzy')[0]).toMatch(/^\/docs\/payouts/);
	expect(addressesFor('xyzzy plugh')).toEqual([]);
});
