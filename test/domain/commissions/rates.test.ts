import { expect, test } from 'vitest';
import { type Rate, ratesOf } from '../../../src/domain/commissions/rates.ts';

function rule({ partnerId, ...of }: Partial<Rate> & { readonly partnerId?: number }): Rate {
	const terms = { type: 'percent', basisPoints: 2_000, amountCents: null, currency: null } as const;
	const scope = of.productId === undefined ? 'default' : 'product';
	const ofPartner = of.productId === undefined ? 'partner' : 'partner_product';
	return { scope: partnerId === undefined ? scope : ofPartner, productId: null, recurringMonths: null, holdDays: 0, ...terms, ...of };
}

const flat = (currency: string): Partial<Rate> => ({ type: 'flat', basisPoints: null, amountCents: 500, currency });
const everyones = rule({});
const ofBook = rule({ productId: 'book' });
const own = rule({ partnerId: 1 });
const ownBook = rule({ partnerId: 1, productId: 'book' });

test.each<[string, Rate[], Rate[]]>([
	['the only rule', [everyones], [everyones]],
	['the most specific first', [everyones, ofBook], [ofBook, everyones]],
	['no rule that their own rule overrides', [everyones, ofBook, own], [own]],
	['their own rule for a product before their own general one', [ofBook, everyones, ownBook], [ownBook, everyones]],
	['the rules of their group', [everyones, ofBook, { ...own, scope: 'group' }], [{ ...own, scope: 'group' }]],
	['all rules, without those that never apply', [everyones, ofBook, own, ownBook], [ownBook, own]],
	[
		'their own flat rule before the general percentage, because it only covers its currency',
		[everyones, rule({ partnerId: 1, ...flat('USD') })],
		[rule({ partnerId: 1, ...flat('USD') }), everyones],
	],
	[
		'their own flat rule instead of the general one in its currency',
		[rule(flat('USD')), rule({ partnerId: 1, ...flat('USD') }), rule({ productId: 'book', ...flat('EUR') })],
		[rule({ partnerId: 1, ...flat('USD') }), rule({ productId: 'book', ...flat('EUR') })],
	],
	['rules of different products next to each other', [ofBook, rule({ productId: 'pen' })], [ofBook, rule({ productId: 'pen' })]],
	[
		'a product rule without effect on other products',
		[everyones, rule({ partnerId: 1, productId: 'pen' }), ofBook],
		[rule({ partnerId: 1, productId: 'pen' }), ofBook, everyones],
	],
])('a partner is shown %s', (_what, rules, rates) => {
	expect(ratesOf(rules)).toEqual(rates);
});
