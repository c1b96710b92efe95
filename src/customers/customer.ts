import { eq, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { customers } from '../db/schema/customers.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';

export type Customer = Awaited<ReturnType<typeof selectCustomers>>[number];

export function selectCustomers(ctx: Context, condition: SQL | undefined) {
	return ctx.db
		.select({
			id: customers.id,
			customerKey: customers.customerKey,
			email: customers.email,
			status: customers.status,
			signupDate: customers.signupDate,
			firstPurchaseDate: customers.firstPurchaseDate,
			partner: { id: partners.id, name: partners.name },
			link: { id: referralLinks.id, shortLink: referralLinks.shortLink },
			clickId: customers.clickId,
			clickedAt: customers.clickedAt,
			country: customers.country,
			source: customers.source,
			createdAt: customers.createdAt,
			erasedAt: customers.erasedAt,
		})
		.from(customers)
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, customers.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.where(condition)
		.$dynamic();
}
