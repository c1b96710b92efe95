import { Hono } from 'hono';
import * as z from 'zod/mini';
import { DELETED, KEPT } from '../../../domain/people/account-deletion.ts';
import { isoOf } from '../../../domain/instant.ts';
import { once } from '../../../once.ts';
import { deleteAccount } from '../../../privacy/delete-account.ts';
import { type AccountData, exportAccount } from '../../../privacy/export-account.ts';
import type { AppEnv } from '../../app-env.ts';
import { clearSessionCookie } from '../../session-cookie.ts';
import { body, noQuery } from '../../validate.ts';
import { Flag, PasswordRequest, Strict } from '../../fields.ts';
import { fewGuesses, requireFewTries } from '../guesses.ts';
import { partnerAccountOnWire } from '../accounts/me.ts';
import { maskedOnWire } from '../payouts/payout-details.ts';
import { isByCookie, requireSession } from '../session.ts';

export const AccountDeletionRequest = once(() => Strict({ ...PasswordRequest().shape, give_up_earnings: z.optional(Flag()) }));

/** Under /api/v1/me. */
export const ownData = new Hono<AppEnv>()
	.get('/export', requireSession, noQuery, async (c) => {
		return c.json({ success: true, data: dataOnWire(await exportAccount(c.var.ctx, c.var.actor)) });
	})
	.delete('/', fewGuesses, requireSession, body(AccountDeletionRequest), async (c) => {
		const { ctx, actor } = c.var;
		await requireFewTries(c, { email: actor.email, what: 'password' });
		const { password, give_up_earnings: givesUpEarnings = false } = c.req.valid('json');
		await deleteAccount(ctx, actor, { password, givesUpEarnings });
		if (isByCookie(c)) clearSessionCookie(c);
		return c.json({ success: true, data: { deleted: DELETED, kept: KEPT } });
	});

function dataOnWire({ user, workspaces, partnerAccounts, addresses, applications, preferences, ...data }: AccountData) {
	const byPartner = new Map(addresses.map((one) => [one.partnerId, one]));
	return {
		user: {
			id: user.id,
			email: user.email,
			name: user.name,
			created_at: isoOf(user.createdAt),
			email_proved_at: isoOf(user.emailProvedAt),
		},
		workspaces: workspaces.map(({ since, deactivatedAt, ...workspace }) => ({
			...workspace,
			active: deactivatedAt === null,
			since: isoOf(since),
		})),
		partner_accounts: partnerAccounts.map((account) => {
			const { email = '', payoutDetails = null } = byPartner.get(account.partnerId) ?? {};
			return { ...partnerAccountOnWire(account), email, payout_details: payoutDetails && maskedOnWire(payoutDetails) };
		}),
		applications: applications.map(({ termsVersion, createdAt, ...application }) => ({
			...application,
			accepted_terms_version: termsVersion,
			created_at: isoOf(createdAt),
		})),
		mail_preferences: preferences.map(({ notifications, kinds }) => ({ notifications, kinds: JSON.parse(kinds) as unknown }))[0] ?? null,
		...historyOnWire(data),
	};
}

function historyOnWire({ sessions, notifications, auditEntries }: Pick<AccountData, 'sessions' | 'notifications' | 'auditEntries'>) {
	return {
		sessions: sessions.map(({ id, createdAt, expiresAt, lastUsedAt, network, userAgent }) => ({
			id,
			created_at: isoOf(createdAt),
			last_used_at: isoOf(lastUsedAt ?? createdAt),
			expires_at: isoOf(expiresAt),
			network,
			user_agent: userAgent,
		})),
		notifications: notifications.map(({ id, kind, message, program, createdAt, readAt }) => ({
			id,
			kind,
			message,
			program,
			created_at: isoOf(createdAt),
			read_at: isoOf(readAt),
		})),
		audit_log: auditEntries.map(({ id, at, workspaceId, programId, action, subjectId, address }) => ({
			id,
			at: isoOf(at),
			workspace_id: workspaceId,
			program_id: programId,
			action,
			subject_id: subjectId,
			address,
		})),
	};
}
