import { sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import { OPERATORS, OPERATORS_WORKSPACE } from '../accounts/operators.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { read, write } from '../db/client.ts';
import { TEST_ALERT, type TestedAlert, testAlertBody } from '../domain/monitoring/alert.ts';
import { Rejection } from '../domain/rejection.ts';
import { postAlert } from './post-alert.ts';

/**
 * Sends a test alert through the real channels and returns their responses. It is neither stored nor retried. Rejects with 403 if the actor
 * is not an operator.
 */
export async function sendTestAlert(ctx: Context, actor: Actor): Promise<TestedAlert> {
	const { found } = await read(ctx.db, {
		found: ctx.db.select({ isOperator: sql`${actor.userId} IN ${OPERATORS}`.mapWith(Boolean) }).from(sql`(SELECT 1)`),
	});
	if (!found[0]?.isOperator)
		throw new Rejection('forbidden', { message: 'Only an owner of the workspace that operates this service may do this' });
	const { alertWebhook, publicUrl } = ctx.settings;
	const posting = alertWebhook === undefined ? null : postAlert(ctx, testAlertBody(publicUrl, ctx.now), { kind: 'test' });
	const { subject, message } = TEST_ALERT;
	const mailing = ctx.mail ? ctx.mail({ kind: 'alert', to: actor.email, subject, message }) : null;
	const [webhook, mailed] = await Promise.all([posting, mailing]);
	const mail = mailed === null ? null : { isTaken: mailed === 'sent', to: actor.email };
	const detail = { webhook: webhook?.isTaken ?? null, mail: mail?.isTaken ?? null };
	await write(ctx.db, [auditEntry(ctx, actor, { workspaceId: sql<number>`${OPERATORS_WORKSPACE}`, action: 'service.test_alert', detail })]);
	return { webhook, mail };
}
