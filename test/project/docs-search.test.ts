import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUIDES, readGuide } from '../../scripts/docs/guides.ts';
import { buildSite } from '../../scripts/docs/site.ts';
import { ROOT } from '../../testing/root.ts';

/** The module that the pages load, in plain JavaScript. */
interface Search {
	readonly search: (entries: readonly unknown[], query: string) => { readonly entry: readonly [string, string] }[];
}

/** Results visible without scrolling. */
const SEEN = 3;

const { search }: Search = await import(join(ROOT, 'docs/site/search.js'));
const entries: unknown[] = JSON.parse(buildSite().get('search.json') ?? '');

function addressesFor(query: string): string[] {
	return search(entries, query).map(({ entry: [address] }) => address);
}

/** A query, and the page or section that must be visible without scrolling. */
test.each([
	['2fa', '#what-is-missing'],
	['401', 'troubleshooting#401-and-403'],
	['429', 'troubleshooting'],
	['ad blocker', 'own-domain'],
	['alerts', 'monitoring'],
	['api key', 'security'],
	['archive a program', 'management#archive-a-program'],
	['attribution', 'how-it-works'],
	['attribution window', 'how-it-works#attribution-which-click-counts'],
	['backup', 'operations'],
	['chargeback', 'refunds'],
	['consent', 'browser#consent'],
	['cookie', 'browser'],
	['cors', 'troubleshooting'],
	['cost', 'operations'],
	['commission', 'commissions'],
	['content security policy', 'single-page-apps#content-security-policy'],
	['coupon', 'coupons'],
	['csp', 'single-page-apps'],
	['csv', 'reports'],
	['currency', 'payouts'],
	['custom domain', 'own-domain'],
	['delete data', 'privacy'],
	['delete a program', 'management'],
	['deploy', 'deploy'],
	['discount code', 'coupons'],
	['docker', '#what-is-missing'],
	['double payment', 'guarantees'],
	['duplicate', 'guarantees'],
	['forgot password', 'people'],
	['gdpr', 'privacy'],
	['fraud', 'commissions'],
	['hold', 'commissions'],
	['how do I delete a customer?', 'privacy'],
	['how much does it cost', 'operations'],
	['idempotency', 'guarantees'],
	['install', 'quick-start'],
	['invite partner', 'partners#invite-a-partner'],
	['ios', 'http-api'],
	['llms.txt', '#the-reference'],
	['next.js', 'nextjs'],
	['nextjs', 'nextjs'],
	['no click', 'troubleshooting'],
	['no click comes', 'troubleshooting#no-click-comes'],
	['paddle', 'paddle'],
	['partner portal', 'partners'],
	['partnerId required', 'troubleshooting#the-sale-says-partnerid-required-to-create-commission'],
	['payout', 'payouts'],
	['page_url', 'privacy#what-is-kept-of-an-address'],
	['paid twice', 'guarantees'],
	['PayPal', 'payouts'],
	['personal data in URLs', 'privacy#what-is-kept-of-an-address'],
	['query parameters', 'privacy'],
	['postback', 'partners'],
	['pricing', 'operations'],
	['rate limit', 'security'],
	['react', 'single-page-apps'],
	['recurring commission', 'commissions'],
	['refund', 'refunds'],
	['renewal', 'troubleshooting#a-renewal-earned-nothing'],
	['restore', 'operations#restore'],
	['Rewardful', 'migration'],
	['roles', 'people'],
	['sandbox', 'test-mode'],
	['self referral', 'commissions'],
	['self-host', 'deploy'],
	['shopify', 'http-api#other-platforms'],
	['stripe', 'stripe'],
	['stripe connect', 'payouts'],
	['subdomain', 'own-domain'],
	['subscriptions', 'stripe'],
	['team', 'people'],
	['tax', 'payouts'],
	['test mode', 'test-mode'],
	['trial', 'stripe#renewals-and-trials'],
	['typescript', 'sdk'],
	['upgrade', 'operations#upgrades'],
	['vue', 'single-page-apps'],
	['webhook', 'webhooks'],
	['webhook', 'stripe'],
	['webhook signature', 'custom-webhook'],
	['window.tracker', 'single-page-apps'],
	['wise', 'payouts'],
	['wordpress', 'http-api#other-platforms'],
	['create coupon', 'reference/partners#createCoupon'],
	['record a sale', 'reference/tracking#trackSale'],
	['trackSale', 'reference/tracking#trackSale'],
])('a search for “%s” shows %s', (query, wanted) => {
	expect(addressesFor(query).slice(0, SEEN)).toContain(`/docs/${wanted}`);
});

test.each(GUIDES)('%s is found first by its title, and is visible for each of its keywords', (name) => {
	const { title, keywords } = readGuide(name);
	expect(addressesFor(title)[0]).toBe(`/docs/${name}`);
	const unseen = keywords
		.split(', ')
		.filter((keyword) => keyword !== '' && !addressesFor(keyword).slice(0, SEEN).includes(`/docs/${name}`));
	expect(unseen).toEqual([]);
});

test('a short word does not match inside other words', () => {
	expect(addressesFor('sso')[0]).toBe('/docs/#what-is-missing');
});

test('an unknown word does not hide results of the others, and alone finds nothing', () => {
	expect(addressesFor('paypal xyzzy')[0]).toMatch(/^\/docs\/payouts/);
	expect(addressesFor('xyzzy plugh')).toEqual([]);
});
