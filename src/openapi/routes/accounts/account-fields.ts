import { GUESSABLE } from '../../../domain/people/guessable-password.ts';
import { forbidden, invalid, rejected } from '../../errors.ts';

export const EMAIL = 'Email address, in any letter case. At most 254 characters.';

export const NEW_PASSWORD =
	'10 to 200 characters, at least 5 of them different. Must not be a common password, or be made of your name, your address or the name of this service.';

export const TOO_EASY = invalid(
	`{field} ${GUESSABLE}`,
	'The new password is common, or made of your name, your address or the name of this service.',
);

export const COOKIE =
	'If true, the session is returned as a cookie that scripts cannot read, `__Host-tracker_session` (`tracker_session` on `http://localhost`), not as a token. For pages of this service.';

export const SET_COOKIE = {
	'Set-Cookie':
		'If `cookie` is true: the session, and a cookie that identifies the browser when passwords are tried. Both are `HttpOnly`, `Secure`, `SameSite=Lax`.',
} as const;

export const CLEAR_COOKIE = { 'Set-Cookie': 'Clears the cookie if it held the session that has ended.' } as const;

/** For every route that takes a password or requests a reset link. */
export const TOO_MANY_TRIES = rejected('too_many_tries', "Unknown networks and browsers have used up this account's attempts per minute.");

export const WRONG_PASSWORD = forbidden('password is wrong', 'It is not your password.');

export const NOT_OWN_PAGE = rejected(
	'not_own_page',
	'`cookie` is true, but `Origin` and `Sec-Fetch-Site` are missing or do not name a page of this service.',
);
