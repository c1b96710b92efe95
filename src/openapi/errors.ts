import { OVERTAKEN } from '../overtaken.ts';
import { REJECTIONS, type RejectionCode } from '../domain/rejection.ts';

/** A refusal as the caller reads it. `{name}` stands for a value that differs between calls. */
export interface ErrorDoc {
	readonly status: number;
	readonly text: string;
	readonly when: string;
}

/** `values` fills the placeholders whose values are fixed. */
export function rejected(code: RejectionCode, when: string, values: Readonly<Record<string, string | number>> = {}): ErrorDoc {
	const [status, text] = REJECTIONS[code];
	return { status, text: text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder)), when };
}

export function invalid(text: string, when: string): ErrorDoc {
	return { status: 400, text, when };
}

export function forbidden(text: string, when: string): ErrorDoc {
	return { status: 403, text, when };
}

export function notFound(what: string, when = 'It does not exist in this program.'): ErrorDoc {
	return { status: 404, text: `${what} not found`, when };
}

export function conflict(text: string, when: string): ErrorDoc {
	return { status: 409, text, when };
}

export const KEY_ERRORS: readonly ErrorDoc[] = [
	rejected('authorization_missing', 'The header is missing or does not start with `Bearer `.'),
	rejected('program_key_empty', 'There is no token after `Bearer `.'),
	rejected('program_key_unknown', 'No active program has this key.'),
	rejected('program_key_is_session', 'The token is a session token.'),
];

const NO_SESSION = 'The header is missing or has no token, and there is no session cookie.';
const SESSION_UNKNOWN = rejected('session_unknown', 'The session has expired or was ended, or the token is wrong.');

export const SESSION_ERRORS: readonly ErrorDoc[] = [rejected('session_missing', NO_SESSION), SESSION_UNKNOWN];

/** For routes that sign somebody up if the call has no session. */
export const JOINER_ERRORS: readonly ErrorDoc[] = [
	rejected('joiner_missing', `${NO_SESSION} The request has no body either.`),
	SESSION_UNKNOWN,
];

/** For every write with a session. */
export const COOKIE_ERRORS: readonly ErrorDoc[] = [
	rejected('not_own_page', 'The session is in a cookie, but the request does not come from a page of this service.'),
];

export const BODY_ERRORS: readonly ErrorDoc[] = [
	invalid('Request body must be valid JSON', 'The body is empty or not JSON.'),
	invalid('Request body must be UTF-8', 'The body is not UTF-8.'),
	invalid('Request body must be a JSON object', 'The body is not an object.'),
	invalid('Request body must not be nested deeper than 32 levels', 'Arrays and objects are nested more than 32 levels deep.'),
	rejected('body_too_large', 'The body exceeds this limit.', { limit: '64 KiB' }),
];

export const LIMIT_ERROR = rejected('too_many_requests', 'Too many calls in a minute. See `Retry-After`.', { seconds: 60 });

export const ARCHIVED_ERROR = conflict(
	'The program is archived. Restore it first: POST /api/v1/programs/{id}/restore',
	'The program is archived.',
);

/** For every write. */
export const OVERTAKEN_ERROR: ErrorDoc = {
	status: 503,
	text: OVERTAKEN,
	when: 'Too many requests changed the same data at once. See `Retry-After`.',
};

/** For every call. */
export const FAULT = 'Internal error. Try again. If it persists, send the X-Request-Id to the operator.';

export function workspaceErrors(atLeast: 'member' | 'admin' | 'owner'): readonly ErrorDoc[] {
	return [rejected('not_a_member', 'The workspace does not exist, or you are not an active member of it.'), ...rankErrors(atLeast)];
}

export function programErrors(atLeast: 'member' | 'admin' | 'owner'): readonly ErrorDoc[] {
	return [
		notFound('Program', 'The program does not exist.'),
		rejected('not_a_member', "You are not an active member of the program's workspace."),
		...rankErrors(atLeast),
	];
}

export function partnerProgramErrors(atLeast: 'ended' | 'suspended' | 'active'): readonly ErrorDoc[] {
	const unknown = notFound('Partner program', 'The membership does not exist, or it is not yours.');
	const ended = forbidden(
		'You are no longer a partner of this program: you can still read what you earned',
		'The membership has ended. You can still read its overview, commissions and payouts.',
	);
	const suspended = forbidden('The program has suspended you: you can read but not change anything', 'The membership is suspended.');
	if (atLeast === 'ended') return [unknown];
	return atLeast === 'suspended' ? [unknown, ended] : [unknown, ended, suspended];
}

export function rankErrors(atLeast: 'member' | 'admin' | 'owner'): readonly ErrorDoc[] {
	if (atLeast === 'member') return [];
	return [forbidden(ROLE_NEEDED[atLeast], `You are a member, but not an ${atLeast === 'admin' ? 'owner or admin' : 'owner'}.`)];
}

const ROLE_NEEDED = {
	admin: 'Only an owner or admin of the workspace may do this',
	owner: 'Only an owner of the workspace may do this',
} as const;
