import { Hono } from 'hono';
import { listCoupons } from '../../../links/list-coupons.ts';
import type { AppEnv } from '../../app-env.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { query } from '../../validate.ts';
import { couponFields } from '../links/coupons.ts';
import { requirePartnerProgram } from '../session.ts';

/** /api/v1/partner-programs/:id/coupons */
export const partnerCoupons = new Hono<AppEnv>().get('/', requirePartnerProgram('suspended'), query(PageQuery), async (c) => {
	const { ctx, membership } = c.var;
	const page = await listCoupons(ctx, membership.program, { ...c.req.valid('query'), partnerProgramId: membership.id });
	return c.json({ success: true, data: page.rows.map((coupon) => ({ id: coupon.id, ...couponFields(coupon) })), meta: metaOf(page) });
});
