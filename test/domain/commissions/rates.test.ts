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
	['all that there is', [everyones], [everyones]],
	['the most specific first', [everyones, ofBook], [ofBook, everyones]],
	["not what a partner's own rule always goes before", [everyones, ofBook, own], [own]],
	['a product of the partner before the rest', [ofBook, everyones, ownBook], [ownBook, everyones]],
	['those of their group', [everyones, ofBook, { ...own, scope: 'group' }], [{ ...own, scope: 'group' }]],
	['all four', [everyones, ofBook, own, ownBook], [ownBook, own]],
	[
		'a flat amount goes before sales in its currency only',
		[everyones, rule({ partnerId: 1, ...flat('USD') })],
		[rule({ partnerId: 1, ...flat('USD') }), everyones],
	],
	[
		'and before flat amounts in it',
		[rule(flat('USD')), rule({ partnerId: 1, ...flat('USD') }), rule({ productId: 'book', ...flat('EUR') })],
		[rule({ partnerId: 1, ...flat('USD') }), rule({ productId: 'book', ...flat('EUR') })],
	],
	['rules of other products stand beside each other', [ofBook, rule({ productId: 'pen' })], [ofBook, rule({ productId: 'pen' })]],
	[
		"another product's rule goes before nothing",
		[everyones, rule({ partnerId: 1, productId: 'pen' }), ofBook],
		[rule({ partnerId: 1, productId: 'pen' }), ofBook, everyones],
	],
])('a partner is shown %s', (_what, rules, rates) => {
	expect(ratesOf(rules)).toEqual(rates);
});
