import * as z from 'zod/mini';
import { COUPON_COLUMNS, CouponChanges, CouponQuery, NewCoupon } from '../../../http/management/links/coupons.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOf, Count, Id, Instant, PAGE_FIELDS, pageOf, searchedPageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underPartnerProgram, underProgram } from '../../under.ts';

const coupon = {
	id: is(Id, 'Id of the coupon.'),
	code: is(Text, 'What customers type at the checkout, in upper case.'),
	sales: is(Count, 'Sales that it brought; 1,000 stands for that many and more.'),
	last_sale_at: is(z.nullable(Instant), 'When the newest of them was recorded, UTC; null: there is none.'),
	created_at: is(Instant, 'When it was created, UTC.'),
	archived_at: is(z.nullable(Instant), 'Since when it counts for nothing, UTC; null: it is in use.'),
};

export const Coupon = named(
	'Coupon',
	'A code by which sales are a partner’s.',
	z.object({
		...coupon,
		partner: is(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') }), 'Whose it is.'),
	}),
);

const OwnCoupon = named('OwnCoupon', 'A coupon as its partner has it.', z.object(coupon));

const PARAMS = { couponId: 'Id of the coupon.' };
const NO_COUPON = notFound('Coupon');
const CODE = '1 to 64 characters; letter case and blanks around it do not count. Unique among the coupons in use of the program.';
const TAKEN = [
	conflict('Coupon {code} is already in use', 'Another coupon of the program has the code.'),
	conflict("The partner's membership has ended: add the partner again", 'The partner is no longer a member.'),
];

export const coupons = [
	...underProgram('Partners', '/coupons', [
		{
			method: 'post',
			atLeast: 'admin',
			id: 'createCoupon',
			summary: 'Create a coupon',
			description:
				"A code by which sales are a partner's, also of customers who never clicked: send it as `coupon_code` of the sale. What it takes off the price is up to your checkout.",
			body: bodyOf('NewCoupon', 'The coupon.', NewCoupon, { partner_id: 'Id of the partner.', code: CODE }),
			answers: { 201: { description: 'The coupon.', schema: answerOf(Coupon, 'The new coupon.') } },
			errors: [ARCHIVED_ERROR, notFound('Partner', 'The partner does not belong to this program.'), ...TAKEN],
			examples: [
				{ name: 'coupon', summary: 'A code of Pat', body: { partner_id: 1, code: 'spring15' } },
				{ name: 'taken', summary: 'A code that is in use', body: { partner_id: 2, code: 'PAT20' }, status: 409 },
			],
		},
		{
			method: 'get',
			atLeast: 'member',
			id: 'listCoupons',
			summary: 'List coupons',
			description: 'The coupons of a program with what they brought, newest first, or the best match of a search first; archived ones too.',
			query: fieldsOf(CouponQuery, {
				...PAGE_FIELDS,
				partner_id: 'Only those of this partner.',
				search: 'A part of the code, in any letter case; one or two characters find what begins a word.',
				archived: 'Only those that are archived, or only those in use.',
			}),
			answers: {
				200: { description: 'A page of coupons.', schema: searchedPageOf(Coupon, 'Coupons.'), csv: `\`${COUPON_COLUMNS}\`` },
			},
			examples: [
				{ name: 'coupons', summary: 'Those in use', query: { archived: 'false', limit: '2' } },
				{ name: 'csv', summary: 'As CSV', headers: { Accept: 'text/csv' } },
			],
		},
		{
			method: 'patch',
			path: '/:couponId',
			atLeast: 'admin',
			id: 'changeCoupon',
			summary: 'Change or archive a coupon',
			description: 'Its partner never changes. What was sold with the code that it had stays what it is.',
			params: PARAMS,
			body: bodyOf('CouponChanges', 'At least one field to change.', CouponChanges, {
				code: CODE,
				archived: 'True: it counts for nothing; false: it does again.',
			}),
			answers: { 200: { description: 'The coupon as it is now.', schema: answerOf(Coupon, 'The coupon.') } },
			errors: [NO_COUPON, ...TAKEN, invalid('Send code or archived', 'No field was sent.')],
			examples: [{ name: 'rename', summary: 'Another code', params: { couponId: 2 }, body: { code: 'PAT-SUMMER' } }],
		},
		{
			method: 'delete',
			path: '/:couponId',
			atLeast: 'admin',
			id: 'archiveCoupon',
			summary: 'Archive a coupon',
			description: 'It counts for nothing any more, and its code is free; customers whom it brought stay with its partner.',
			params: PARAMS,
			answers: { 200: { description: 'The coupon, archived.', schema: answerOf(Coupon, 'The coupon.') } },
			errors: [NO_COUPON],
			examples: [{ name: 'archive', summary: 'An old code', params: { couponId: 3 } }],
		},
	]),
	...underPartnerProgram('/coupons', [
		{
			method: 'get',
			atLeast: 'suspended',
			id: 'listOwnCoupons',
			summary: 'List own coupons',
			description: 'Your codes and what they brought, newest first; archived ones too. The program makes them.',
			query: fieldsOf(PageQuery, PAGE_FIELDS),
			answers: { 200: { description: 'A page of coupons.', schema: pageOf(OwnCoupon, 'Coupons, newest first.') } },
			examples: [{ name: 'coupons', summary: 'The codes of Pat' }],
		},
	]),
];
