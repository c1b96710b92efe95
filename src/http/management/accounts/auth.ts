import { Hono } from 'hono';
import * as z from 'zod/mini';
import { changePassword } from '../../../accounts/change-password.ts';
import { findAccount } from '../../../accounts/known-network.ts';
import type { Client } from '../../../accounts/session.ts';
import { signIn } from '../../../accounts/sign-in.ts';
import { signOut } from '../../../accounts/sign-out.ts';
import { signUp } from '../../../accounts/sign-up.ts';
import { hasVariety, VARIETY } from '../../../domain/people/password-variety.ts';
import { once } from '../../../once.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { isKnownDevice, setDeviceCookie } from '../../device-cookie.ts';
import { clientAddress, clientNetwork } from '../../limits.ts';
import { Email, Flag, FreeText, Name, Strict } from '../../fields.ts';
import { clearSessionCookie, requireOwnPage, setSessionCookie } from '../../session-cookie.ts';
import { body, noQuery } from '../../validate.ts';
import { headerOf } from '../../visitor.ts';
import { fewGuesses, fewStrangers, requireFewTries } from '../guesses.ts';
import { isByCookie, requireSession } from '../session.ts';

const PASSWORD_LIMIT = 200;
const USER_AGENT_BYTES = 300;

export const NewPassword = once(() =>
	FreeText(PASSWORD_LIMIT).check(
		z.minLength(10, 'must be at least 10 characters'),
		z.refine(hasVariety, `must have at least ${VARIETY} different characters. Choose a few words that nobody else would combine`),
	),
);

export const SignUpRequest = once(() =>
	Strict({
		email: Email(),
		password: NewPassword(),
		name: Name(),
		workspace_name: z.optional(Name()),
		setup_token: z.optional(z.string('must be a string').check(z.maxLength(1_000, 'must be at most 1000 characters'))),
		cookie: z.optional(Flag()),
	}),
);

export const SignInRequest = once(() => Strict({ email: Email(), password: FreeText(PASSWORD_LIMIT), cookie: z.optional(Flag()) }));

export const PasswordChangeRequest = once(() => Strict({ old_password: FreeText(PASSWORD_LIMIT), new_password: NewPassword() }));

export const auth = new Hono<AppEnv>()
	.post('/sign-up', fewStrangers, noQuery, body(SignUpRequest), async (c) => {
		const request = c.req.valid('json');
		if (request.cookie) requireOwnPage(c);
		const signedUp = await signUp(c.var.ctx, {
			email: request.email,
			password: request.password,
			name: request.name,
			workspaceName: request.workspace_name,
			setupToken: request.setup_token,
			...(await clientOf(c)),
		});
		return c.json({ success: true, data: await startedSession(c, signedUp, request.cookie) }, 201);
	})
	.post('/sign-in', fewGuesses, noQuery, body(SignInRequest), async (c) => {
		const { email, password, cookie } = c.req.valid('json');
		if (cookie) requireOwnPage(c);
		const { ctx } = c.var;
		const account = await findAccount(ctx, email);
		const isFromKnownNetwork = account.networks.has(await clientNetwork(c));
		await requireFewTries(c, { email, what: 'password', isFromKnownNetwork });
		const lane = isFromKnownNetwork || (await isKnownDevice(c, email)) ? 'known' : 'stranger';
		const signedIn = await signIn(ctx, account, { password, lane, client: await clientOf(c) });
		return c.json({ success: true, data: await startedSession(c, signedIn, cookie) });
	})
	.post('/sign-out', requireSession, async (c) => {
		const { ctx, actor, sessionHash } = c.var;
		await signOut(ctx, actor, sessionHash);
		if (isByCookie(c)) clearSessionCookie(c);
		return c.json({ success: true, data: null });
	})
	.post('/password', fewGuesses, requireSession, body(PasswordChangeRequest), async (c) => {
		const { ctx, actor, sessionHash } = c.var;
		const { old_password: old, new_password } = c.req.valid('json');
		await requireFewTries(c, { email: actor.email, what: 'password' });
		await changePassword(ctx, actor, sessionHash, { old, new: new_password });
		return c.json({ success: true, data: null });
	});

interface Started {
	readonly token: string;
	readonly user: { readonly email: string };
}

/** Returns the token, or sets its cookie and the device cookie. */
export async function startedSession<Session extends Started>(c: AppContext, started: Session, asCookie = false) {
	const { token, ...rest } = started;
	if (!asCookie) return { token, ...rest };
	setSessionCookie(c, token);
	await setDeviceCookie(c, started.user.email);
	return rest;
}

export async function clientOf(c: AppContext): Promise<Client> {
	return { address: await clientAddress(c), userAgent: headerOf(c, 'User-Agent', USER_AGENT_BYTES) };
}
