import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { auditEntry } from '../accounts/audit.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { mailPreferences } from '../db/schema/mail.ts';
import { type SelectedKinds, kindsOf } from '../domain/people/mail-preference.ts';
import type { MailedKind } from '../domain/people/notification.ts';
import { notFound } from '../domain/rejection.ts';
import { isSameSecret } from '../secrets.ts';

export interface MailPreferences {
	/** Whether the service sends email at all. */
	readonly isMailOn: boolean;
	/** If false, nothing is emailed, whatever the kinds say. */
	readonly notifications: boolean;
	readonly kinds: Readonly<Record<MailedKind, boolean>>;
}

export interface MailPreferenceChanges {
	readonly notifications?: boolean | undefined;
	readonly kinds?: SelectedKinds | undefined;
}

export async function readMailPreferences(ctx: Context, { userId }: Pick<Actor, 'userId'>): Promise<MailPreferences> {
	return preferencesOf(ctx, await selectPreferences(ctx, userId));
}

/** Omitted fields stay unchanged. */
export async function changeMailPreferences(ctx: Context, actor: Actor, changes: MailPreferenceChanges): Promise<MailPreferences> {
	const audit = auditEntry(ctx, actor, { workspaceId: null, action: 'mail_preferences.change', detail: { ...changes } });
	const { found } = await write(ctx.db, [choose(ctx, actor.userId, changes), audit], { found: selectPreferences(ctx, actor.userId) });
	return preferencesOf(ctx, found);
}

/** Never expires, because people open emails years later. */
export async function unsubscribeTokenOf(ctx: Context, userId: number): Promise<string> {
	const [proof] = await ctx.secrets.unsubscribeProofs(userId);
	return `${userId}-${proof}`;
}

/** Rejects an invalid token with 404. */
export async function requireSubscriber(ctx: Context, token: string): Promise<number> {
	const [, id, proof = ''] = /^([1-9]\d{0,14})-([0-9a-f]{32})$/.exec(token) ?? [];
	const userId = Number(id);
	for (const expected of id === undefined ? [] : await ctx.secrets.unsubscribeProofs(userId)) {
		if (await isSameSecret(proof, expected)) return userId;
	}
	throw notFound('Letter');
}

/** Needs only the token, no session. Safe to repeat. */
export async function unsubscribe(ctx: Context, token: string, address: string | null): Promise<void> {
	const userId = await requireSubscriber(ctx, token);
	const [preferences] = await selectPreferences(ctx, userId);
	if (preferences?.notifications === false) return;
	const entry = { workspaceId: null, action: 'mail_preferences.unsubscribe', subjectId: userId } as const;
	await write(ctx.db, [choose(ctx, userId, { notifications: false }), auditEntry(ctx, { userId: null, address }, entry)]);
}

/** One statement, so that concurrent changes are both kept. */
function choose(ctx: Context, userId: number, { notifications, kinds = {} }: MailPreferenceChanges): Statement {
	const selected = JSON.stringify(kinds);
	return ctx.db
		.insert(mailPreferences)
		.values({ userId, notifications: notifications ?? true, kinds: selected })
		.onConflictDoUpdate({
			target: mailPreferences.userId,
			set: { kinds: sql`json_patch(${mailPreferences.kinds}, ${selected})`, ...(notifications === undefined ? {} : { notifications }) },
		});
}

function selectPreferences(ctx: Context, userId: number) {
	return ctx.db
		.select({ notifications: mailPreferences.notifications, kinds: mailPreferences.kinds })
		.from(mailPreferences)
		.where(eq(mailPreferences.userId, userId));
}

const Kinds = z.record(z.string(), z.boolean());

function preferencesOf(ctx: Context, [selected]: Awaited<ReturnType<typeof selectPreferences>>): MailPreferences {
	return {
		isMailOn: ctx.mail !== undefined,
		notifications: selected?.notifications ?? true,
		kinds: kindsOf(selected ? Kinds.parse(JSON.parse(selected.kinds)) : {}),
	};
}
