import { Hono } from 'hono';
import * as z from 'zod/mini';
import { changeMailPreferences, type MailPreferences, readMailPreferences } from '../../../notifications/mail-preferences.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { Changes, Flag, Strict } from '../../fields.ts';
import { body, noQuery } from '../../validate.ts';
import { requireSession } from '../session.ts';

const Kinds = once(() =>
	Strict({
		commission_created: z.optional(Flag()),
		commission_reversed: z.optional(Flag()),
		commission_reinstated: z.optional(Flag()),
		commission_rejected: z.optional(Flag()),
		payout_made: z.optional(Flag()),
		payout_sent: z.optional(Flag()),
		payout_failed: z.optional(Flag()),
		application_received: z.optional(Flag()),
		webhook_disabled: z.optional(Flag()),
		postback_disabled: z.optional(Flag()),
		membership_suspended: z.optional(Flag()),
		membership_resumed: z.optional(Flag()),
		membership_ended: z.optional(Flag()),
		manual_review: z.optional(Flag()),
		processor_silent: z.optional(Flag()),
		reversal_refused: z.optional(Flag()),
		payout_file_made: z.optional(Flag()),
	}),
);

export const MailPreferenceChanges = once(() =>
	Changes({ notifications: z.optional(Flag()), kinds: z.optional(Kinds()) }, 'Send notifications or kinds'),
);

/** /api/v1/me/mail-preferences */
export const mailPreferences = new Hono<AppEnv>()
	.get('/', requireSession, noQuery, async (c) => {
		return c.json({ success: true, data: preferencesOnWire(await readMailPreferences(c.var.ctx, c.var.actor)) });
	})
	.patch('/', requireSession, body(MailPreferenceChanges), async (c) => {
		return c.json({ success: true, data: preferencesOnWire(await changeMailPreferences(c.var.ctx, c.var.actor, c.req.valid('json'))) });
	});

function preferencesOnWire({ isMailOn, notifications, kinds }: MailPreferences) {
	return { mail_on: isMailOn, notifications, kinds };
}
