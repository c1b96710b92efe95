import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { once } from '../../../once.ts';
import { changeCoupon } from '../../../links/change-coupon.ts';
import type { Coupon } from '../../../links/coupon.ts';
import { createCoupon } from '../../../links/create-coupon.ts';
import { listCoupons } from '../../../links/list-coupons.ts';
import type { AppEnv } from '../../app-env.ts';
import { wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { Changes, CouponCode, Flag, Id, Identifier, QueryFlag, QueryId, Strict } from '../../fields.ts';
import { PageQuery } from '../../page.ts';
import { body, params, query } from '../../validate.ts';
import { requireProgram, unlessArchived } from '../session.ts';

export const NewCoupon = once(() => Strict({ partner_id: Id(), code: CouponCode() }));

export const CouponChanges = once(() => Changes({ code: z.optional(CouponCode()), archived: z.optional(Flag()) }, 'Send code or archived'));

export const CouponQuery = once(() =>
	z.extend(PageQuery(), {
		partner_id: z.optional(QueryId()),
		search: z.optional(Identifier()),
		archived: z.optional(QueryFlag()),
	}),
);

export const COUPON_COLUMNS = 'coupon_id,code,partner_id,partner_name,sales,last_sale_at,created_at,archived_at';

/** /api/v1/programs/:id/coupons */
export const coupons = new Hono<AppEnv>()
	.post('/', requireProgram('admin'), unlessArchived, body(NewCoupon), async (c) => {
		const { ctx, program } = c.var;
		const { partner_id: partnerId, code } = c.req.valid('json');
		return c.json({ success: true, data: couponOnWire(await createCoupon(ctx, program, { partnerId, code })) }, 201);
	})
	.get('/', requireProgram('member'), query(CouponQuery), async (c) => {
		const { ctx, program } = c.var;
		const { partner_id: partnerId, search, archived, ...page } = c.req.valid('query');
		const filter = { partnerId, search, archived: archived === undefined ? undefined : archived === 'true' };
		return answerList(c, {
			name: `coupons-${program.id}`,
			header: COUPON_COLUMNS,
			isCsv: wantsCsv(c),
			page,
			read: (request) => listCoupons(ctx, program, { ...filter, ...request }),
			onWire: couponOnWire,
			inLine: ({ partner, ...coupon }) => ({
				...couponFields(coupon),
				coupon_id: coupon.id,
				partner_id: partner.id,
				partner_name: partner.name,
			}),
		});
	})
	.patch('/:couponId', requireProgram('admin'), params(['couponId']), body(CouponChanges), async (c) => {
		const { ctx, program } = c.var;
		const coupon = await changeCoupon(ctx, program, c.req.valid('param').couponId, c.req.valid('json'));
		return c.json({ success: true, data: couponOnWire(coupon) });
	})
	.delete('/:couponId', requireProgram('admin'), params(['couponId']), async (c) => {
		const { ctx, program } = c.var;
		const coupon = await changeCoupon(ctx, program, c.req.valid('param').couponId, { archived: true });
		return c.json({ success: true, data: couponOnWire(coupon) });
	});

function couponOnWire({ partner, ...coupon }: Coupon) {
	return { id: coupon.id, ...couponFields(coupon), partner };
}

/** The coupon's partner may read these too. */
export function couponFields({ code, sales, lastSaleAt, createdAt, archivedAt }: Omit<Coupon, 'partner'>) {
	return { code, sales, last_sale_at: isoOf(lastSaleAt), created_at: isoOf(createdAt), archived_at: isoOf(archivedAt) };
}
