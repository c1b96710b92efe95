import { SUSPENDED } from './cast.ts';
import { type Fields, fieldOf } from './service-client.ts';
import type { Shop } from './shop.ts';
import { at, later, type Stage } from './stage.ts';

const HOUR = 1 / 24;

/** Payouts are made on these days, and sent two days later. */
const PAYOUT_DAYS = [31, 61, 83];

/** The shop's decisions about commissions, and its payouts. */
export function planMoney(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	planDecisions(stage, shop);
	for (const [round, day] of PAYOUT_DAYS.entries()) {
		agenda.add(at(stage, day, 10, 30), async () => {
			const made = (await shop.decide('/payouts', {})).filter((payout) => cents(payout) > 0);
			const isLast = round === PAYOUT_DAYS.length - 1;
			// Some of the last payouts are not sent yet.
			const sent = isLast ? made.slice(0, Math.ceil(made.length / 2)) : made;
			for (const [index, payout] of sent.entries())
				agenda.add(later(Date.now(), 2 + index * 0.01), () =>
					send(shop, payout, `NW-PAY-${round + 1}${String(index + 1).padStart(2, '0')}`),
				);
			const failing = round === 1 ? made.find(({ partner }) => fieldOf(partner, 'id') === shop.partner('ines')) : undefined;
			if (failing)
				agenda.add(later(Date.now(), 5), () =>
					shop.decide(`/payouts/${Number(failing['id'])}/failed`, { reason: 'Wise returned it: the account is closed' }),
				);
		});
	}
	// All of this payout is used to recover debt.
	agenda.add(at(stage, 61, 10, 45), () => shop.decide('/payouts', { partner_ids: [shop.partner('angstrom')], minimum_cents: 0 }));
}

function send(shop: Shop, payout: Fields, reference: string): Promise<readonly Fields[]> {
	return shop.decide(`/payouts/${Number(payout['id'])}/sent`, { reference });
}

function cents({ amount_cents: amount }: Fields): number {
	return Number(amount);
}

function planDecisions(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	const pending = async (slug: string, most: number) => {
		const found = await shop.list(`/commissions?status=pending&limit=${most}&partner_id=${shop.partner(slug)}`);
		return found.map(({ id }) => Number(id));
	};
	const reject = async (slug: string, most: number, reason: string) => {
		const ids = await pending(slug, most);
		if (ids.length > 0) await shop.decide('/commissions/reject', { commission_ids: ids, reason });
	};
	agenda.add(at(stage, 26, 15), () => reject('cafe-deals', 1, 'Self-referral: the address is the partner’s own'));
	agenda.add(at(stage, SUSPENDED.on, 9), () => reject(SUSPENDED.slug, 6, SUSPENDED.reason));
	agenda.add(at(stage, 81, 15, 20), () => reject('cafe-deals', 1, 'The order was never shipped'));
	agenda.add(at(stage, 79, 16), async () => {
		const ids = await pending('espresso-atlas', 3);
		if (ids.length > 0) await shop.decide('/commissions/approve', { commission_ids: ids });
	});
	agenda.add(later(at(stage, 59, 12), HOUR), async () => {
		// Rejects the rest of a partly refunded commission.
		const [rest] = await shop.list(`/commissions?status=refunded&partner_id=${shop.partner('roast-notes')}`);
		if (rest) await shop.decide('/commissions/reject', { commission_ids: [Number(rest['id'])], reason: 'The rest came back too' });
	});
}
