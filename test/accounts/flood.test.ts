import { beforeAll, describe, expect, test } from 'vitest';
import type { AppEnv } from '../../src/http/app-env.ts';
import { limitOf } from '../../testing/limits.ts';
import { callWith } from '../support/bindings.ts';
import { aMailbox } from '../support/mail.ts';
import { type Owner, signUp, unique } from '../support/world.ts';

// A flood of wrong passwords does not lock out people with the right one (decision 58).

type Bindings = Partial<AppEnv['Bindings']>;

const SERVICE = 'http://service.test';
const FLOODS_PER_SECOND = 12;
const TOO_MANY =
	'Too many passwords were tried from networks or browsers that are new to this account. Wait 60 seconds, sign in from a network or browser that you have used before, or reset the password by email.';

const byte = () => Math.floor(Math.random() * 256);
const group = () => Math.floor(Math.random() * 65_536).toString(16);
const elsewhere = () => ({ 'CF-Connecting-IP': `198.${18 + (byte() % 2)}.${byte()}.${byte()}` });

/** The limits of a deployed service (wrangler.toml). */
const deployed = (): Bindings => ({ SIGN_IN_LIMIT: limitOf(20), SITE_LIMIT: limitOf(60), ACCOUNT_LIMIT: limitOf(10) });

function signIn(bindings: Bindings, { email, password }: Pick<Owner, 'email' | 'password'>, headers: Record<string, string>) {
	return callWith(bindings, '/api/v1/auth/sign-in', { body: { email, password }, headers });
}

/** The cookie of a browser in which the user has signed in before. */
async function aDevice({ email, password }: Owner): Promise<string> {
	const headers = { ...elsewhere(), Origin: SERVICE };
	const answer = await callWith({}, '/api/v1/auth/sign-in', { body: { email, password, cookie: true }, headers });
	return deviceOf(answer.headers);
}

function deviceOf(headers: Headers): string {
	const cookie = headers.getSetCookie().find((text) => text.startsWith('__Host-tracker_device_'));
	expect(cookie).toMatch(
		/^__Host-tracker_device_[0-9a-f]{8}=\d{13}\.[0-9a-f]{32}; Path=\/; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax$/,
	);
	return cookie?.split('; ')[0] ?? '';
}

/** Wrong passwords arrive from changing networks, for this account and others. */
async function flooded<Result>(bindings: Bindings, email: string, work: () => Promise<Result>): Promise<Result> {
	const sent: Promise<unknown>[] = [];
	let isShareUsedUp = false;
	const send = () => {
		const victim = sent.length % 2 === 0 ? email : `${unique('nobody')}@people.example`;
		const answer = signIn(bindings, { email: victim, password: 'a guess of many' }, elsewhere());
		sent.push(answer.then(({ body }) => (isShareUsedUp ||= body['error'] === TOO_MANY)));
	};
	for (let count = 0; count < 2 * FLOODS_PER_SECOND; count += 1) send();
	const timer = setInterval(send, 1_000 / FLOODS_PER_SECOND);
	try {
		await expect.poll(() => isShareUsedUp, { timeout: 300_000 }).toBe(true);
		return await work();
	} finally {
		clearInterval(timer);
		await Promise.all(sent);
	}
}

let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
});

describe('twelve wrong attempts a second from changing networks', () => {
	test('leave room for the networks and browsers that the account knows', async () => {
		const home = elsewhere();
		expect((await signIn({}, owner, home)).status).toBe(200);
		const device = await aDevice(owner);
		const bindings = deployed();
		const statuses = await flooded(bindings, owner.email, async () => {
			const tries = [];
			for (let turn = 0; turn < 2; turn += 1) {
				tries.push((await signIn(bindings, owner, home)).status);
				tries.push((await signIn(bindings, owner, { ...elsewhere(), Cookie: device })).status);
			}
			const stranger = await signIn(bindings, owner, elsewhere());
			return { tries, stranger: [stranger.status, stranger.headers.get('Retry-After'), stranger.body] };
		});
		expect(statuses).toEqual({ tries: Array(4).fill(200), stranger: [429, '60', { error: TOO_MANY }] });
	});

	test('leave a way in from a new browser in a new place: an emailed link', async () => {
		const person = await signUp();
		const mailbox = aMailbox();
		const bindings = { ...deployed(), ...mailbox.bindings };
		await flooded(bindings, person.email, async () => {
			const here = elsewhere();
			expect((await signIn(bindings, person, here)).status).toBe(429);
			await callWith(bindings, '/api/v1/auth/password-reset', { body: { email: person.email }, headers: here });
			const token = /rst_[0-9a-f]{40}/.exec(mailbox.emails[0]?.text ?? '')?.[0];
			const password = 'four plain words together';
			const set = await callWith(bindings, '/api/v1/auth/password-reset/confirm', {
				body: { token, new_password: password },
				headers: here,
			});
			expect(set.status).toBe(200);
			const again = await signIn(bindings, { email: person.email, password }, { ...here, Cookie: deviceOf(set.headers) });
			expect(again.status).toBe(200);
		});
	});

	test('do not delay the passwords of people who are signed in', async () => {
		const person = await signUp();
		const bindings = deployed();
		const home = elsewhere();
		await signIn({}, person, home);
		const { status } = await flooded(bindings, person.email, () =>
			callWith(bindings, '/api/v1/auth/password', {
				token: person.token,
				headers: home,
				body: { old_password: person.password, new_password: 'four plain words together' },
			}),
		);
		expect(status).toBe(200);
	});
});

test('a known browser’s password is checked before those of earlier strangers', async () => {
	const device = await aDevice(owner);
	let answered = 0;
	const strangers = Array.from({ length: 14 }, async () => {
		await signIn({}, { email: `${unique('nobody')}@people.example`, password: 'a guess' }, elsewhere());
		answered += 1;
	});
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect((await signIn({}, owner, { ...elsewhere(), Cookie: device })).status).toBe(200);
	expect(answered).toBeLessThan(10);
	await Promise.all(strangers);
});

/** The statuses of four attempts with this cookie, once strangers have used up their limit. */
async function triesWith(Cookie: string, at = owner): Promise<number[]> {
	const full = limitOf(3);
	for (let turn = 0; turn < 3; turn += 1) await signIn({ ACCOUNT_LIMIT: full }, { ...at, password: 'a guess' }, elsewhere());
	const statuses = [];
	for (let turn = 0; turn < 4; turn += 1)
		statuses.push((await signIn({ ACCOUNT_LIMIT: full }, { ...at, password: 'a guess' }, { ...elsewhere(), Cookie })).status);
	return statuses;
}

describe('the cookie of a browser', () => {
	test('allows a few attempts of its own', async () => {
		expect(await triesWith(await aDevice(owner))).toEqual([401, 401, 401, 429]);
	});

	test.each<[what: string, change: (cookie: string) => string]>([
		['altered', (cookie) => cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
		['changed to last longer', (cookie) => cookie.replace(/=\d/, '=9')],
		['without its signature', (cookie) => cookie.replace(/\..*/, '')],
	])('is ignored if it is %s', async (_what, change) => {
		expect(await triesWith(change(await aDevice(owner)))).toEqual([429, 429, 429, 429]);
	});

	test('is ignored for another account', async () => {
		const other = await signUp();
		const value = (await aDevice(other)).split('=')[1];
		const name = (await aDevice(owner)).split('=')[0];
		expect(await triesWith(`${name}=${value}`)).toEqual([429, 429, 429, 429]);
	});

	test('does not sign in', async () => {
		const { status } = await callWith({}, '/api/v1/me', { headers: { Cookie: await aDevice(owner) } });
		expect(status).toBe(401);
	});
});

const aSite = () => `2001:db8:${group()}`;
const inSite = (site: string) => ({ 'CF-Connecting-IP': `${site}:${group()}::1` });
const nobody = () => ({ email: `${unique('nobody')}@people.example`, password: 'a guess' });

describe('the networks of one IPv6 site', () => {
	test('share a limit of attempts for all accounts; other sites and IPv4 are not affected', async () => {
		const bindings = { SITE_LIMIT: limitOf(3) };
		const site = aSite();
		const statuses = [];
		for (let turn = 0; turn < 4; turn += 1) statuses.push((await signIn(bindings, nobody(), inSite(site))).status);
		expect(statuses).toEqual([401, 401, 401, 429]);
		expect((await signIn(bindings, nobody(), inSite(aSite()))).status).toBe(401);
		for (let turn = 0; turn < 4; turn += 1) expect((await signIn(bindings, nobody(), elsewhere())).status).toBe(401);
	});

	test.each(['/auth/sign-up', '/public/programs/nobody-has-this/applications'])('count as one at %s', async (path) => {
		const bindings = { SITE_LIMIT: limitOf(3) };
		const site = aSite();
		const statuses = [];
		for (let turn = 0; turn < 4; turn += 1)
			statuses.push((await callWith(bindings, `/api/v1${path}`, { body: {}, headers: inSite(site) })).status);
		expect(statuses).toEqual([400, 400, 400, 429]);
	});

	test('do not lock out the network from which a person usually signs in', async () => {
		const bindings = { SITE_LIMIT: limitOf(3) };
		const site = aSite();
		const home = inSite(site);
		const person = await signUp();
		expect((await signIn({}, person, home)).status).toBe(200);
		for (let turn = 0; turn < 4; turn += 1) await signIn(bindings, nobody(), inSite(site));
		expect((await signIn(bindings, person, inSite(site))).status).toBe(429);
		expect((await signIn(bindings, person, home)).status).toBe(200);
	});
});
