import { beforeAll, describe, expect, test } from 'vitest';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { sendExamples } from '../../testing/openapi/send-examples.ts';
import { openService } from '../../testing/service/service.ts';
import { prepareWorld } from '../../testing/openapi/world.ts';
import type { Operation } from '../../src/openapi/operation.ts';
import { OPERATIONS } from '../../src/openapi/operations.ts';
import { countingTrips } from '../../testing/d1/metered.ts';

// Runs the document's examples of every route for people (management, 1).

const isForPeople = ({ path }: Operation) => /^\/api\/v1\/(?!track\/|cli\/|programs\/me\/)/.test(path);
const MANAGEMENT = OPERATIONS.filter(isForPeople);
const name = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

interface Done {
	readonly entries: number;
	readonly trips: number;
}

const done = new Map<string, Done[]>();

beforeAll(async () => {
	const bindings = nodeBindings();
	const DB = countingTrips(bindings.DB);
	const world = await prepareWorld(openService({ ...bindings, DB }));
	const entries = async () => (await bindings.DB.prepare('SELECT count(*) AS n FROM audit_entries').first<number>('n')) ?? 0;
	const service = openService({ ...bindings, DB }, { isHolding: true });
	let last: Done = { entries: 0, trips: 0 };
	const fetch = async (request: Request) => {
		const before = { entries: await entries(), trips: DB.trips() };
		const response = await service.fetch(request);
		last = { entries: (await entries()) - before.entries, trips: DB.trips() - before.trips };
		await service.deliverHeld();
		return response;
	};
	for await (const { operation, status } of sendExamples({ ...world, service: { ...service, fetch } })) {
		if (status < 300) done.set(name(operation), [...(done.get(name(operation)) ?? []), last]);
	}
}, 60_000);

describe('every successful unsafe call is in the audit log', () => {
	const UNSAFE = MANAGEMENT.filter(({ method }) => method !== 'get').map(name);
	/** Routes that are not audited, and why. */
	const NOT_AUDITED: Readonly<Record<string, string>> = {
		'POST /api/v1/notifications/:id/read': "what somebody has read is their own affair, and changes nothing of a workspace's",
		'PATCH /api/v1/notifications': 'the same of all',
	};

	/** The service of the examples sends no email, so it refuses these. Their own tests send email, and check the audit log. */
	const NEED_EMAIL: readonly string[] = ['POST /api/v1/programs/:id/partners/:partnerId/payout-details/ask'];

	test.each(UNSAFE.filter((route) => !(route in NOT_AUDITED) && !NEED_EMAIL.includes(route)))('%s', (route) => {
		const calls = done.get(route) ?? [];
		expect(calls.length).toBeGreaterThan(0);
		expect(calls.filter(({ entries }) => entries === 0)).toEqual([]);
	});

	test.each(Object.keys(NOT_AUDITED))('except %s', (route) => {
		expect(new Set(done.get(route)?.map(({ entries }) => entries))).toEqual(new Set([0]));
	});
});

describe('a call makes at most three trips to the database', () => {
	/** Routes that require a password read their subject after checking it. A replay is logged after it is queued. */
	const MORE: Readonly<Record<string, number>> = {
		'POST /api/v1/programs/:id/api-token': 4,
		'POST /api/v1/programs/:id/api-token/reveal': 4,
		'DELETE /api/v1/programs/:id/api-token/:keyId': 4,
		'DELETE /api/v1/programs/:id/partners/:partnerId/person': 4,
		'DELETE /api/v1/partner-accounts/:partnerId/payout-details': 4,
		'POST /api/v1/programs/:id/payouts/batch': 4,
		'POST /api/v1/programs/:id/processor-events/:eventId/replay': 4,
		// Each step runs like a real call, one after another.
		'POST /api/v1/programs/:id/test-chain': 16,
		// It reads page by page, each after the previous one was sent.
		'GET /api/v1/programs/:id/archive': 4,
		// It first reads the person's ids at the processor, then the events with them.
		'POST /api/v1/programs/:id/customers/export': 4,
		// Three trips run after the response, for the search without an index.
		'POST /api/v1/programs/:id/customers/erase': 6,
		// Three trips run after the response, to call the URL.
		'POST /api/v1/partner-programs/:id/postback/test': 6,
	};

	test.each(MANAGEMENT.map(name))('%s', (route) => {
		expect(Math.max(...(done.get(route) ?? []).map(({ trips }) => trips))).toBeLessThanOrEqual(MORE[route] ?? 3);
	});
});
