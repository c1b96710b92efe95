import type { Send } from './send.ts';

// The data that is put under load: one owner, and programs with different rules and partners.

export interface Shop {
	readonly programId: number;
	readonly apiToken: string;
	/** The secret with which its processor signs webhooks. */
	readonly signingSecret: string;
	/** The program's currency. */
	readonly currency: string;
	readonly otherCurrencies: readonly string[];
	/** Whether it keeps clicks no longer than it must. */
	readonly retiresClicks: boolean;
	readonly partners: readonly { readonly partnerId: number; readonly partnerProgramId: number; readonly shortLink: string }[];
}

export interface World {
	readonly ownerToken: string;
	readonly shops: readonly Shop[];
}

/** The attribution window and a week, the shortest that a program may choose. */
export const RETENTION_DAYS = 67;

const SHOPS = [
	{ currency: 'USD', otherCurrencies: [], retentionDays: RETENTION_DAYS, commission: { type: 'percent', percent: 20 } },
	{ currency: 'USD', otherCurrencies: ['EUR'], retentionDays: RETENTION_DAYS, commission: { type: 'percent', percent: 33.33 } },
	// Sales in another currency earn nothing here.
	{ currency: 'USD', otherCurrencies: ['KWD'], retentionDays: null, commission: { type: 'flat', amount_cents: 755, hold_days: 30 } },
] as const;

const PARTNERS_PER_SHOP = 3;

export async function openShops(send: Send): Promise<World> {
	const post = async <Data>(path: string, body: Record<string, unknown>, token?: string): Promise<Data> => {
		const answer = await send({ path, token, request: body });
		if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
		return answer.body['data'] as Data;
	};
	const owner = await post<{ token: string }>('/api/v1/auth/sign-up', {
		email: 'owner@crash.example',
		password: 'correct horse battery',
		name: 'Ada Owner',
	});
	const shops: Shop[] = [];
	for (const { currency, otherCurrencies, retentionDays, commission } of SHOPS) {
		const program = await post<{ id: number; api_token: string }>(
			'/api/v1/programs',
			{ name: `Shop ${shops.length + 1}`, currency, click_retention_days: retentionDays, commission },
			owner.token,
		);
		const partners: Shop['partners'][number][] = [];
		for (let number = 1; number <= PARTNERS_PER_SHOP; number += 1) {
			const partner = await post<{ id: number; partner_program_id: number; links: { short_link: string }[] }>(
				`/api/v1/programs/${program.id}/partners`,
				{ name: `Partner ${number}`, email: `partner-${number}@crash.example` },
				owner.token,
			);
			const [link] = partner.links;
			if (!link) throw new Error(`Partner ${partner.id} has no link`);
			partners.push({ partnerId: partner.id, partnerProgramId: partner.partner_program_id, shortLink: link.short_link });
		}
		const signingSecret = `whsec_secretOfShopNumber${program.id}`;
		const path = `/api/v1/programs/${program.id}/stripe`;
		const connected = await send({ method: 'PUT', path, token: owner.token, request: { webhook_secret: signingSecret } });
		if (connected.status !== 200) throw new Error(`${path} answered ${connected.status}: ${JSON.stringify(connected.body)}`);
		const retiresClicks = retentionDays !== null;
		shops.push({ programId: program.id, apiToken: program.api_token, signingSecret, currency, otherCurrencies, retiresClicks, partners });
	}
	return { ownerToken: owner.token, shops };
}
