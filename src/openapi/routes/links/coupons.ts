import * as z from 'zod/mini';
import {
	COUPON_COLUMNS,
	CouponChanges,
	CouponQuery,
	NewCoupon,
	type coupons as couponRoutes,
} from '../../../http/management/links/coupons.ts';
import { PageQuery } from '../../../http/page.ts';
import type { partnerCoupons as partnerCouponRoutes } from '../../../http/management/partner-programs/partner-coupons.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, PAGE_FIELDS, pageOf, searchedPageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underPartnerProgram, underProgram } from '../../under.ts';

const coupon = {
	id: is(Id, "The coupon's id."),
	code: is(Text, 'The code customers enter at checkout, in upper case.'),
	sales: is(Count, 'Number of sales with the coupon; 1,000 means 1,000 or more.'),
	last_sale_at: is(z.nullable(Instant), 'When the latest sale was recorded, UTC; null if there is none.'),
	created_at: is(Instant, 'When it was created, UTC.'),
	archived_at: is(z.nullable(Instant), 'When it was archived, UTC; null if it is in use.'),
};

export const Coupon = named(
	'Coupon',
	'A code that attributes sales to a partner.',
	z.object({
		...coupon,
		partner: is(
			z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") }),
			"The coupon's partner.",
		),
	}),
);

const OwnCoupon = named('OwnCoupon', 'One of your coupons.', z.object(coupon));

const PARAMS = { couponId: "The coupon's id." };
const NO_COUPON = notFound('Coupon');
const CODE = "1 to 64 characters; letter case and surrounding spaces are ignored. Unique among the program's coupons in use.";
const TAKEN = [
	conflict('Coupon {code} is already in use', 'Another coupon of the program has this code.'),
	conflict("The partner's membership has ended: add the partner again", "The partner's membership has ended."),
];

export const coupons = [
	...underProgram('Partners', '/coupons', [
		{
			method: 'post',
			atLeast: 'admin',
			id: 'createCoupon',
			summary: 'Create a coupon',
			description:
				'Creates a code that attributes sales to a partner, even from customers who never clicked. Send it as `coupon_code` of the sale. Your checkout decides the discount.',
			body: bodyOf('NewCoupon', 'The coupon.', NewCoupon, { partner_id: "The partner's id.", code: CODE }),
			answers: {
				201: {
					description: 'The coupon.',
					schema: answerOfRoute<typeof couponRoutes, '/', '$post'>()(answerOf(Coupon, 'The new coupon.')),
				},
			},
			errors: [ARCHIVED_ERROR, notFound('Partner', 'The partner is not in this program.'), ...TAKEN],
			examples: [
				{ name: 'coupon', summary: 'A code for Pat', body: { partner_id: 1, code: 'spring15' } },
				{ name: 'taken', summary: 'A code that is in use', body: { partner_id: 2, code: 'PAT20' }, status: 409 },
			],
		},
		{
			method: 'get',
			atLeast: 'member',
			id: 'listCoupons',
			summary: 'List coupons',
			description: 'The coupons of a program with their sales, including archived ones. Newest first, or best match of a search first.',
			query: fieldsOf(CouponQuery, {
				...PAGE_FIELDS,
				partner_id: 'Only coupons of this partner.',
				search: 'A part of the code, in any letter case.',
				archived: 'If true, only archived coupons; if false, only those in use.',
			}),
			answers: {
				200: {
					description: 'A page of coupons.',
					schema: answerOfRoute<typeof couponRoutes, '/', '$get'>()(searchedPageOf(Coupon, 'Coupons.')),
					csv: `\`${COUPON_COLUMNS}\``,
				},
			},
			examples: [
				{ name: 'coupons', summary: 'Coupons in use', query: { archived: 'false', limit: '2' } },
				{ name: 'csv', summary: 'As CSV', headers: { Accept: 'text/csv' } },
			],
		},
		{
			method: 'patch',
			path: '/:couponId',
			atLeast: 'admin',
			id: 'changeCoupon',
			summary: 'Change or archive a coupon',
			description: 'The partner cannot change. Sales with the earlier code stay as they are.',
			params: PARAMS,
			body: bodyOf('CouponChanges', 'At least one field to change.', CouponChanges, {
				code: CODE,
				archived: 'Whether the coupon is archived and so has no effect.',
			}),
			answers: {
				200: {
					description: 'The updated coupon.',
					schema: answerOfRoute<typeof couponRoutes, '/:couponId', '$patch'>()(answerOf(Coupon, 'The coupon.')),
				},
			},
			errors: [NO_COUPON, ...TAKEN, invalid('Send code or archived', 'No field was sent.')],
			examples: [{ name: 'rename', summary: 'Change the code', params: { couponId: 2 }, body: { code: 'PAT-SUMMER' } }],
		},
		{
			method: 'delete',
			path: '/:couponId',
			atLeast: 'admin',
			id: 'archiveCoupon',
			summary: 'Archive a coupon',
			description: 'The coupon has no further effect, and its code can be used again. Customers it brought stay with the partner.',
			params: PARAMS,
			answers: {
				200: {
					description: 'The archived coupon.',
					schema: answerOfRoute<typeof couponRoutes, '/:couponId', '$delete'>()(answerOf(Coupon, 'The coupon.')),
				},
			},
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
			description: 'Your coupons with their sales, newest first, including archived ones. The program creates coupons.',
			query: fieldsOf(PageQuery, PAGE_FIELDS),
			answers: {
				200: {
					description: 'A page of coupons.',
					schema: answerOfRoute<typeof partnerCouponRoutes, '/', '$get'>()(pageOf(OwnCoupon, 'Coupons, newest first.')),
				},
			},
			examples: [{ name: 'coupons', summary: "Pat's coupons" }],
		},
	]),
];
