import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { users } from '../db/schema/accounts.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { conflict, notFound } from '../domain/rejection.ts';

/** A declined person may apply again after this long. */
export const AGAIN_MS = 30 * DAY_MS;
/** Declined applications are deleted after this long. */
export const KEPT_MS = 180 * DAY_MS;
/** Per program. Further applications get no email or automatic approval, so that a flood does not email strangers. */
export const ANSWERED_A_DAY = 200;
/** Per program. */
export const MOST_OPEN = 1_000;

export type Application = Awaited<ReturnType<typeof selectApplications>>[number];

/** A statement for any batch, newest first. */
export function selectApplications(ctx: Context, programId: number, condition?: SQL) {
	return ctx.db
		.select({
			id: partnerApplications.id,
			name: partnerApplications.name,
			email: partnerApplications.email,
			website: partnerApplications.website,
			message: partnerApplications.message,
			termsVersion: partnerApplications.termsVersion,
			userId: partnerApplications.userId,
			/** Decision 57. */
			isEmailProved: sql`EXISTS (SELECT 1 FROM users AS own
				WHERE own.id = partner_applications.user_id AND own.email = partner_applications.email AND own.email_proved_at IS NOT NULL)`.mapWith(
				Boolean,
			),
			status: partnerApplications.status,
			reason: partnerApplications.reason,
			partnerId: partnerApplications.partnerId,
			createdAt: partnerApplications.createdAt,
			decidedAt: partnerApplications.decidedAt,
			decidedBy: { id: users.id, name: users.name },
		})
		.from(partnerApplications)
		.leftJoin(users, eq(users.id, partnerApplications.decidedBy))
		.where(and(eq(partnerApplications.programId, programId), condition))
		.orderBy(desc(partnerApplications.id));
}

export function isSelected(ids: readonly number[]): SQL {
	return sql`${partnerApplications.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

/** Rejects with 404 for an unknown application, and with 409 for a decided one. */
export function requireOpen(ids: readonly number[], found: readonly Application[]): void {
	const byId = new Map(found.map((application) => [application.id, application]));
	for (const id of ids) {
		const application = byId.get(id);
		if (!application) throw notFound(`Application ${id}`);
		if (application.status !== 'open') throw conflict(`Application ${id} was already ${application.status}`);
	}
}
