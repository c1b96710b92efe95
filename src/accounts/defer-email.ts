import type { Context } from '../context.ts';
import type { Email } from '../domain/people/email.ts';

/** Sends the email if mail is on. Deferred, so that a slow mail service does not delay the response. */
export function deferEmail(ctx: Pick<Context, 'mail' | 'defer'>, email: Email): void {
	const sent = ctx.mail?.(email);
	if (sent) ctx.defer(sent);
}
