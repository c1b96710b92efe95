import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aroundTrips } from '../../testing/d1/each-trip.ts';
import { bearer, callWith, trackWith } from '../support/bindings.ts';
import { aFunnel, aLead, aPartner, aSale, type Funnel } from '../support/funnel.ts';
import { memberIdOf } from '../support/members.ts';
import { aMember, api, type Call, type Owner } from '../support/world.ts';

// Which D1 session each trip of a person's request uses (decision 68). The local D1 has no replicas, so these tests check which session is
// requested.

const PRIMARY = 'first-primary';
const NO_SESSION = 'no session';
const SEEN = '00000000-00000001-00000000-00000000000000000000000000000000';
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

function notingSessions(db: D1Database) {
	const trips: string[] = [];
	const noting = (of: D1Database, session: string) =>
		aroundTrips(of, (go) => {
			trips.push(session);
			return go();
		});
	const DB: D1Database = {
		...noting(db, NO_SESSION),
		withSession: (constraint) => {
			const session = db.withSession(constraint);
			const ofSession = {
				prepare: (query: string) => session.prepare(query),
				batch: <Row>(sent: D1PreparedStatement[]) => session.batch<Row>(sent),
			};
			const noted = noting({ ...aroundTrips(db, (go) => go()), ...ofSession }, String(constraint));
			return { prepare: noted.prepare, batch: noted.batch, getBookmark: () => session.getBookmark() };
		},
	};
	return { DB, trips };
}

let funnel: Funnel;
let owner: Owner;
beforeAll(async () => {
	funnel = await aFunnel();
	({ owner } = funnel);
	await aSale(funnel, { customer_key: await aLead(funnel) });
});

/** Returns the session of each trip of the owner's call. */
async function called(path: string, bookmark?: string, { token = owner.token, headers = {}, ...call }: Call = {}) {
	const { DB, trips } = notingSessions(env.DB);
	const cookie = bookmark === undefined ? {} : { Cookie: `__Host-tracker_bookmark=${bookmark}` };
	const answer = await callWith({ DB }, path, { ...call, token, headers: { ...cookie, ...headers } });
	return { ...answer, trips, renewed: answer.headers.get('X-D1-Bookmark') };
}

const commissions = () => `/api/v1/programs/${funnel.id}/commissions`;

describe('a page with a bookmark', () => {
	test('gets data from a replica, after the primary has checked the session', async () => {
		const { status, trips, renewed } = await called(commissions(), SEEN);
		expect([status, trips]).toEqual([200, [PRIMARY, SEEN]]);
		expect(renewed).toMatch(BOOKMARK);
		expect(String(renewed) > SEEN).toBe(true);
	});

	test.each([
		['an overview', () => `/api/tracking/performance/${funnel.id}?period=30d`],
		['a breakdown', () => `/api/tracking/performance/${funnel.id}?period=30d&by=partner`],
		['events', () => `/api/tracking/events/${funnel.id}`],
		['the ranking of partners', () => `/api/v1/programs/${funnel.id}/partners/performance`],
		['notifications', () => '/api/v1/notifications'],
	])('reads %s from there too', async (_what, path) => {
		const { status, trips } = await called(path(), SEEN);
		expect([status, trips[0], new Set(trips.slice(1))]).toEqual([200, PRIMARY, new Set([SEEN])]);
	});

	test('makes no trip to a replica for a removed member', async () => {
		const member = await aMember(owner, 'member');
		const memberId = await memberIdOf(owner, member);
		await api(`/api/v1/workspaces/${owner.workspaceId}/members/${memberId}`, { method: 'DELETE', token: owner.token });
		for (const path of [commissions(), `/api/tracking/performance/${funnel.id}?period=30d`, `/api/tracking/events/${funnel.id}`]) {
			const { status, trips } = await called(path, SEEN, { token: member.token });
			expect([path, status, trips]).toEqual([path, 403, [PRIMARY]]);
		}
	});
});

describe('the primary answers', () => {
	test('a call without a bookmark, and returns one', async () => {
		const { status, trips, renewed } = await called(commissions());
		expect([status, new Set(trips)]).toEqual([200, new Set([PRIMARY])]);
		expect(renewed).toMatch(BOOKMARK);
	});

	test.each([
		'first-unconstrained',
		'first-primary',
		'',
		SEEN.toUpperCase().replaceAll('0', 'A'),
		`${SEEN}0`,
		` ${SEEN.slice(1)}`,
		`${SEEN}%0A`,
	])('a call with %j as its bookmark', async (bookmark) => {
		const { status, trips } = await called(commissions(), bookmark);
		expect([status, new Set(trips)]).toEqual([200, new Set([PRIMARY])]);
	});

	test.each([
		["the caller's account", () => '/api/v1/me'],
		['sessions', () => '/api/v1/auth/sessions'],
		["the caller's programs", () => '/api/v1/programs'],
		['members and their roles', () => `/api/v1/workspaces/${owner.workspaceId}/members`],
		['keys', () => `/api/v1/programs/${funnel.id}/api-token`],
		['what is due', () => `/api/v1/programs/${funnel.id}/payouts/preview`],
		['a batch of payouts', () => `/api/v1/programs/${funnel.id}/payouts/batch?method=paypal&currency=USD`],
		["the caller's export", () => '/api/v1/me/export'],
	])('a request for %s', async (_what, path) => {
		const { status, trips, renewed } = await called(path(), SEEN);
		expect([status, new Set(trips)]).toEqual([200, new Set([PRIMARY])]);
		expect(renewed).toMatch(BOOKMARK);
	});

	test('a request for a file', async () => {
		const { DB, trips } = notingSessions(env.DB);
		const headers = { Accept: 'text/csv', Cookie: `__Host-tracker_bookmark=${SEEN}` };
		await callWith({ DB }, commissions(), { token: owner.token, headers }).catch(() => undefined);
		expect(new Set(trips)).toEqual(new Set([PRIMARY]));
	});
});

test('all trips of a write go to the primary, and its bookmark is newer than before', async () => {
	const before = await called(commissions());
	const written = await called(`/api/v1/programs/${funnel.id}/groups`, SEEN, { body: { name: 'Gold' } });
	expect([written.status, new Set(written.trips)]).toEqual([201, new Set([PRIMARY])]);
	expect(String(written.renewed) > String(before.renewed)).toBe(true);
	const read = await called(`/api/v1/programs/${funnel.id}/groups`, String(written.renewed));
	expect(read.trips).toEqual([PRIMARY, String(written.renewed)]);
	expect(JSON.stringify(read.body)).toContain('Gold');
});

test('tracking has no session', async () => {
	const { shortLink } = await aPartner(owner, funnel.id);
	const { DB, trips } = notingSessions(env.DB);
	const click = await trackWith({ DB }, 'click', { affiliate_url: `https://shop.example/?aff=${shortLink}` });
	const body = { click_id: String(click.body['click_id']) };
	const lead = await trackWith({ DB }, 'lead', body, bearer(funnel.apiToken));
	expect([click.status, lead.status, new Set(trips)]).toEqual([200, 200, new Set([NO_SESSION])]);
	expect(lead.headers.get('X-D1-Bookmark')).toBeNull();
});

describe('a session of D1', () => {
	test('has no bookmark before its first trip, and a newer one after a write', async () => {
		const session = env.DB.withSession(PRIMARY);
		expect(session.getBookmark()).toBeNull();
		await session.prepare('SELECT 1').all();
		const first = String(session.getBookmark());
		expect(first).toMatch(BOOKMARK);
		await session.prepare("INSERT INTO workspaces (name, created_at) VALUES ('Of a session', 1)").run();
		expect(String(session.getBookmark()) > first).toBe(true);
	});

	test('keeps the bookmark that it was opened with if that is newer', async () => {
		const future = SEEN.replace('00000000', 'ffffffff');
		const session = env.DB.withSession(future);
		await session.batch([env.DB.prepare('SELECT 1')]);
		expect(session.getBookmark()).toBe(future);
	});

	test('gets none from a trip that fails', async () => {
		const session = env.DB.withSession();
		await expect(session.prepare('SELECT missing').all()).rejects.toThrow('no such column');
		expect(session.getBookmark()).toBeNull();
	});
});
