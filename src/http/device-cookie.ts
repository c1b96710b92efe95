import { DAY_MS } from '../domain/calendar.ts';
import type { AppContext } from './app-env.ts';
import { placeOf, putCookie } from './session-cookie.ts';
import { cookieOf } from './visitor.ts';

// A browser in which somebody has signed in keeps a cookie for that account. It grants nothing except its own share of password attempts
// (decision 58).

const DEVICE_DAYS = 180;
/** Long enough to distinguish the few accounts of a browser. */
const TAG_LENGTH = 8;

/** For answers that sign in, or that set a password by a link. */
export async function setDeviceCookie(c: AppContext, email: string): Promise<void> {
	const { now, secrets } = c.get('ctx');
	const expiresAt = String(now + DEVICE_DAYS * DAY_MS);
	const [proof] = await secrets.deviceProofs(signedText(email, expiresAt));
	putCookie(c, await nameOf(c, email), { value: `${expiresAt}.${proof}`, days: DEVICE_DAYS });
}

/** Whether somebody has signed in to the account in this browser. */
export async function isKnownDevice(c: AppContext, email: string): Promise<boolean> {
	const { name } = placeOf(c, await nameOf(c, email));
	const [expiresAt = '', proof] = cookieOf(c, name)?.split('.') ?? [];
	const { now, secrets } = c.get('ctx');
	if (proof === undefined || !(Number(expiresAt) > now)) return false;
	return (await secrets.deviceProofs(signedText(email, expiresAt))).includes(proof);
}

async function nameOf(c: AppContext, email: string): Promise<string> {
	return `tracker_device_${(await c.get('ctx').secrets.pseudonym(`device ${email}`)).slice(0, TAG_LENGTH)}`;
}

function signedText(email: string, expiresAt: string): string {
	return `${email}\n${expiresAt}`;
}
