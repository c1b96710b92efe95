import { DAY_MS } from '../domain/calendar.ts';
import type { AppContext } from './app-env.ts';
import { placeOf, putCookie } from './session-cookie.ts';
import { cookieOf } from './visitor.ts';

// Each account that signs in leaves a cookie in the browser. It only grants separate password attempts (decision 58).

const DEVICE_DAYS = 180;
/** Enough to distinguish the accounts of one browser. */
const TAG_LENGTH = 8;

/** For responses that sign somebody in, or that set a password through a link. */
export async function setDeviceCookie(c: AppContext, email: string): Promise<void> {
	const { now, secrets } = c.get('ctx');
	const expiresAt = String(now + DEVICE_DAYS * DAY_MS);
	const [proof] = await secrets.deviceProofs(signedText(email, expiresAt));
	putCookie(c, await nameOf(c, email), { value: `${expiresAt}.${proof}`, days: DEVICE_DAYS });
}

/** Whether somebody has signed in to this account in this browser. */
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
