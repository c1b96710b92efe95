import type { Shop } from './shop.ts';
import { at, type Stage } from './stage.ts';

/** Plans the commission rules and their changes: for all sales, and by product, group and partner. */
export function planTerms(stage: Stage, shop: Shop): void {
	const { agenda } = stage;
	const rule = (terms: Readonly<Record<string, unknown>>) => shop.manage('/commission-rules', terms);
	agenda.add(at(stage, 0, 9, 20), async () => {
		await rule({ type: 'flat', amount_cents: 25_00, currency: 'USD', product_id: 'espresso-machine', hold_days: 30 });
		await rule({ type: 'percent', percent: 20, product_id: 'coffee-club', recurring_months: 2, hold_days: 7 });
		await rule({ type: 'percent', percent: 3, product_id: 'gift-card' });
	});
	agenda.add(at(stage, 5, 10, 30), () => rule({ type: 'percent', percent: 14, partner_id: shop.partner('espresso-atlas'), hold_days: 14 }));
	agenda.add(at(stage, 9, 15), async () => {
		const groups = await shop.list('/groups');
		const group = (name: string) => groups.find((one) => one['name'] === name)?.['id'];
		await rule({ type: 'percent', percent: 12.5, group_id: group('Creators'), hold_days: 14 });
		const newsletters = { group_id: group('Newsletters and podcasts'), product_id: 'single-origin' };
		await rule({ type: 'percent', percent: 15, ...newsletters, hold_days: 14 });
	});
	// The general rule gets a higher percentage, then a shorter hold.
	agenda.add(at(stage, 30, 9, 45), () => change(shop, undefined, { percent: 12 }));
	agenda.add(at(stage, 60, 9, 45), () => change(shop, undefined, { hold_days: 10 }));
	agenda.add(at(stage, 40, 9), () => rule({ type: 'percent', percent: 25, product_id: 'pour-over-kit', hold_days: 14 }));
	agenda.add(at(stage, 47, 21), async () => {
		await shop.manage(`/commission-rules/${await ruleFor(shop, 'pour-over-kit')}`, undefined, { method: 'DELETE' });
	});
	agenda.add(at(stage, 75, 11, 15), () => change(shop, 'coffee-club', { percent: 22 }));
}

async function change(shop: Shop, productId: string | undefined, terms: Readonly<Record<string, unknown>>): Promise<void> {
	const rules = await shop.list('/commission-rules');
	const rule = rules.find(
		(one) => (one['product_id'] ?? undefined) === productId && one['partner_id'] === null && one['group_id'] === null,
	);
	const { type, percent, hold_days, recurring_months } = rule ?? {};
	await shop.manage(
		`/commission-rules/${Number(rule?.['id'])}`,
		{ type, percent, hold_days, recurring_months, ...terms },
		{ method: 'PATCH' },
	);
}

async function ruleFor(shop: Shop, productId: string): Promise<number> {
	const rules = await shop.list('/commission-rules');
	return Number(rules.find((one) => one['product_id'] === productId)?.['id']);
}
