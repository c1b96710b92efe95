import { Hono } from 'hono';
import * as z from 'zod/mini';
import { askPasswordReset } from '../../../accounts/ask-password-reset.ts';
import { resetPassword } from '../../../accounts/reset-password.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { setDeviceCookie } from '../../device-cookie.ts';
import { clientAddress } from '../../limits.ts';
import { Email, Strict } from '../../fields.ts';
import { body, noQuery } from '../../validate.ts';
import { NewPassword } from './auth.ts';
import { fewGuesses, requireFewTries } from '../guesses.ts';

export const ResetRequest = once(() => Strict({ email: Email() }));

const TOKEN = 'must be the token of a password reset link, such as rst_...';

export const ConfirmRequest = once(() =>
	Strict({ token: z.string(TOKEN).check(z.regex(/^rst_[0-9a-f]{40}$/, TOKEN)), new_password: NewPassword() }),
);

/** The same for everybody, so that it does not reveal who has an account. */
export const RESET_ASKED =
	'If an account has this address and this service sends email, a password reset link is on its way. ' +
	'Otherwise, ask the operator of this service to run: npm run recover -- --email <address> --remote';

/** /api/v1/auth/password-reset */
export const passwordReset = new Hono<AppEnv>()
	.post('/', fewGuesses, noQuery, body(ResetRequest), async (c) => {
		const { email } = c.req.valid('json');
		await requireFewTries(c, { email, what: 'reset' });
		await askPasswordReset(c.var.ctx, email, await clientAddress(c));
		return c.json({ success: true, data: { message: RESET_ASKED, sends_mail: c.var.ctx.mail !== undefined } });
	})
	.post('/confirm', fewGuesses, noQuery, body(ConfirmRequest), async (c) => {
		const { token, new_password: password } = c.req.valid('json');
		const user = await resetPassword(c.var.ctx, { token, password }, await clientAddress(c));
		await setDeviceCookie(c, user.email);
		return c.json({ success: true, data: { user } });
	});
