import { GUESSABLE } from '../../../domain/people/guessable-password.ts';
import { forbidden, invalid, rejected } from '../../errors.ts';

export const EMAIL = 'E-mail address, in any letter case. At most 254 characters.';

export const NEW_PASSWORD =
	'10 to 200 characters, at least 5 of them different. None of the most used ones, nor made of your own name, your address or the name of this service.';

/** The refusal of a new password, under its field's name. */
export const TOO_EASY = invalid(
	`{field} ${GUESSABLE}`,
	'The new password is common, or contains your name, your address or words of this service.',
);

export const COOKIE =
	'true: the session comes as a cookie that no script can read, `__Host-tracker_session` (`tracker_session` on `http://localhost`), and not as a token. For pages of this service.';

export const SET_COOKIE = {
	'Set-Cookie':
		'If `cookie` is true: the session, and a cookie by which the browser is known when passwords are tried. Both are `HttpOnly`, `Secure`, `SameSite=Lax`.',
} as const;

export const CLEAR_COOKIE = { 'Set-Cookie': 'Deletes the cookie if it held the session that has ended.' } as const;

/** For every route that takes a password or requests a reset link. */
export const TOO_MANY_TRIES = rejected('too_many_tries', 'Strangers have used up what they may try at this account in a minute.');

export const WRONG_PASSWORD = forbidden('password is wrong', 'It is not your password.');

export const NOT_OWN_PAGE = rejected(
	'not_own_page',
	'`cookie` is true, and neither `Origin` nor `Sec-Fetch-Site` shows a page of this service, or one of them another.',
);
