import { WORLD } from '../world/world.ts';
import { type RowInvariant, type WithRows, byId, violated } from './invariant.ts';

/** A coupon never changes a customer's partner (decision 47). */
export const coupons: RowInvariant = {
	name: 'a sale has its customer’s partner, and names only a coupon of that partner',
	reads: ['sales', 'customers'],
	check: checkCoupons,
};

function checkCoupons({ rows }: WithRows): void {
	const customers = byId(rows.customers);
	for (const sale of rows.sales) {
		if (sale.is_test === 1 && sale.coupon_id !== null) throw violated(coupons.name, `test sale ${sale.id} names a coupon`);
		if (sale.is_test === 1) continue;
		const customer = customers.get(sale.customer_id ?? 0);
		if (customer?.partner_program_id !== sale.partner_program_id)
			throw violated(
				coupons.name,
				`sale ${sale.id} belongs to ${sale.partner_program_id}, its customer to ${customer?.partner_program_id}`,
			);
		const coupon = WORLD.coupons.find(({ id }) => id === sale.coupon_id);
		if (sale.coupon_id !== null && coupon?.partnerProgramId !== sale.partner_program_id)
			throw violated(coupons.name, `sale ${sale.id} names the coupon of ${coupon?.partnerProgramId}`);
	}
}
