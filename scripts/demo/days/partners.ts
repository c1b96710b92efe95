import * as cast from './cast.ts';
import type { Fields } from './service-client.ts';
import { accept } from './people.ts';
import type { Shop } from './shop.ts';
import { at, later, type Stage } from './stage.ts';

/** The partner whose sign-in is printed. */
export const SHOWN_PARTNER = 'espresso-atlas';
const HOUR = 1 / 24;
/** The day on which second links are created. */
const SECOND_LINKS_ON = 9;

/** Plans how partners join, sign in, enter payout details and get links. */
export function planPartners(stage: Stage, shop: Shop, partners: readonly cast.CastPartner[]): void {
	for (const [index, partner] of partners.entries()) {
		const joins = at(stage, partner.joins ?? 0, 9, 30 + (index % 29));
		stage.agenda.add(joins, () => join(stage, shop, partner, 20 + index));
		if (partner.campaign === undefined) continue;
		stage.agenda.add(Math.max(later(joins, HOUR), at(stage, SECOND_LINKS_ON, 12)), () =>
			shop.manage('/links', {
				partner_id: shop.partner(partner.slug),
				short_link: shop.shortLink(partner.campaign),
				destination_url: `https://${shop.domain}/gear`,
			}),
		);
	}
}

async function join(stage: Stage, shop: Shop, { name, slug, paidBy }: cast.CastPartner, network: number): Promise<void> {
	const { client, agenda, password } = stage;
	const body = { name, email: partnerAddress(slug), short_link: shop.shortLink(slug) };
	const { id, invitation_url: url } = await shop.manage('/partners', body);
	shop.partners.set(slug, Number(id));
	await shop.manage(`/links/${await defaultLink(shop, Number(id))}`, { destination_url: `https://${shop.domain}/` }, { method: 'PATCH' });
	if (paidBy === undefined || typeof url !== 'string') return;
	agenda.add(later(Date.now(), 4 * HOUR), async () => {
		const { token } = await accept(client, url, { name, password }, network);
		const details = DETAILS[paidBy];
		if (!details) return;
		const account = { password, ...details(slug, name) };
		await client.dataOf(`/api/v1/partner-accounts/${Number(id)}/payout-details`, {
			method: 'PUT',
			token: String(token),
			body: account,
			network,
		});
	});
}

/** Account and routing numbers from examples, not real ones. */
const DETAILS: Readonly<Record<NonNullable<cast.CastPartner['paidBy']>, ((slug: string, name: string) => Fields) | undefined>> = {
	paypal: (slug) => ({ method: 'paypal', email: `pay@${slug}.example` }),
	wise: (slug, name) => ({ method: 'wise', email: `pay@${slug}.example`, holder: name }),
	bank: (_slug, name) => ({
		method: 'bank',
		holder: name,
		currency: 'USD',
		country: 'US',
		account_number: '000123456789',
		routing_code: '021000021',
	}),
	none: undefined,
};

export function partnerAddress(slug: string): string {
	return `hello@${slug}.example`;
}

async function defaultLink(shop: Shop, partnerId: number): Promise<number> {
	const [link] = await shop.list(`/links?partner_id=${partnerId}`);
	return Number(link?.['id']);
}

/** Plans groups, suspensions, a resumption, the end of a membership, and a partner who never accepts. */
export function planMemberships(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	const move = async (name: string, slugs: readonly string[]) => {
		const group = (await shop.list('/groups')).find((one) => one['name'] === name);
		await shop.manage(`/groups/${Number(group?.['id'])}/partners`, { partner_ids: slugs.map((slug) => shop.partner(slug)) });
	};
	agenda.add(at(stage, 7, 10), async () => {
		for (const { name, slugs } of cast.GROUPS) {
			await shop.manage('/groups', { name });
			await move(
				name,
				slugs.filter((slug) => shop.partners.has(slug)),
			);
		}
		const { id } = await shop.manage('/groups', { name: 'Summer fair' });
		await shop.manage(`/groups/${Number(id)}`, undefined, { method: 'DELETE' });
	});
	// Adds the partners who joined later.
	agenda.add(at(stage, 36, 10), () => move(cast.GROUPS[0].name, cast.GROUPS[0].slugs));
	const set = (slug: string, change: Fields) => shop.manage(`/partners/${shop.partner(slug)}`, change, { method: 'PATCH' });
	const { SUSPENDED, RESUMED, ENDED } = cast;
	agenda.add(at(stage, RESUMED.suspendedOn, 0), () => set(RESUMED.slug, { status: 'suspended', reason: RESUMED.reason }));
	agenda.add(at(stage, RESUMED.on, 23, 50), () => set(RESUMED.slug, { status: 'active' }));
	agenda.add(at(stage, SUSPENDED.on, 0), () => set(SUSPENDED.slug, { status: 'suspended', reason: SUSPENDED.reason }));
	agenda.add(at(stage, ENDED.on, 0), () =>
		shop.manage('/partners/status', { partner_ids: [shop.partner(ENDED.slug)], status: 'ended', reason: ENDED.reason }),
	);
	agenda.add(at(stage, 86, 13), async () => {
		const { id } = await shop.manage('/partners', { name: 'Hearth & Mug', email: partnerAddress('hearth-mug') });
		shop.partners.set('hearth-mug', Number(id));
	});
	agenda.add(at(stage, 12, 11), async () => {
		const { id } = await shop.manage('/links', { partner_id: shop.partner('moka-files'), short_link: shop.shortLink('moka-summer') });
		agenda.add(at(stage, 50, 11), () => shop.manage(`/links/${Number(id)}`, { archived: true }, { method: 'PATCH' }));
	});
}

const TERMS = `1. Disclosure. Wherever you link to us, say on that page, in that post or in that video that you earn a commission.

2. Our name. Do not bid on "Northwind Coffee" or anything similar in search ads. Do not use it in a domain, a user name or a shop name.

3. Coupons. Share only the codes we gave you. Extensions and pages that add codes at checkout automatically are not allowed.

4. Own purchases. You do not earn on what you or your household buy.

5. Honesty. Recommend what you have tried. Do not promise prices, effects or delivery times that our own pages do not promise.

6. Refunds. Refunded orders earn nothing. If we have already paid you for one, we deduct it from your next payout.

7. Email. Send newsletters only to readers who subscribed, with an unsubscribe link in each.

8. Ending. Either of us may end this at any time with a short message. We pay what you have earned by then.`;

/** Plans the public program page and the applications sent through it. */
export function planApplications(stage: Stage, shop: Shop): void {
	const { agenda, client } = stage;
	const form = (change: Fields) => shop.manage('/application-form', change, { method: 'PATCH' });
	agenda.add(at(stage, 2, 16), () =>
		form({
			slug: 'northwind-coffee',
			applications: 'by_approval',
			description: 'Write, film or talk about coffee? Recommend our beans and gear, and earn on what your readers buy.',
			terms: 'Disclose the partnership. No ads on our name.',
		}),
	);
	agenda.add(at(stage, 30, 10), () =>
		form({
			description:
				'We roast small lots of single-origin coffee and sell the gear to brew it well: grinders, kettles, machines, and a club that sends fresh beans each month.\n\nIf you write, film or talk about coffee, recommend us. Our partners are blogs, newsletters, podcasts and people with a kitchen and a camera. You get your own link, samples before each new harvest, and a real person to talk to.',
			terms: TERMS,
		}),
	);
	for (const [index, applicant] of cast.APPLICANTS.entries()) {
		const { name, on, message } = applicant;
		const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
		agenda.add(at(stage, on, 10 + index, 17), () =>
			client.call('/api/v1/public/programs/northwind-coffee/applications', {
				body: { name, email: partnerAddress(slug), website: `https://${slug}.example/`, message, accepted_terms_version: on < 30 ? 1 : 2 },
				network: 60 + index,
			}),
		);
		if (applicant.status === 'open') continue;
		agenda.add(at(stage, on + 1, 9, 50), async () => {
			const [application] = await shop.list('/applications?status=open');
			const decision = applicant.status === 'approved' ? { short_link: slug } : { reason: applicant.reason };
			const verb = applicant.status === 'approved' ? 'approve' : 'decline';
			await shop.decide(`/applications/${Number(application?.['id'])}/${verb}`, decision);
		});
	}
}
