import { and, eq, sql } from 'drizzle-orm';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase, read, write } from '../../src/db/client.ts';
import { type Placeholders, prepare } from '../../src/db/prepare.ts';
import { refusedOrigins } from '../../src/db/schema/health.ts';
import { programs } from '../../src/db/schema/programs.ts';
import { workspaces } from '../../src/db/schema/accounts.ts';
import { boundOf } from '../../src/db/statement.ts';
import { aProgram, signUp } from '../support/world.ts';
import { countingTrips } from '../../testing/d1/metered.ts';

const db = openDatabase(env.DB);
const sender = { db, now: 1_700_000_000_000 };

describe('reads together', () => {
	test('return what each would alone, in one trip', async () => {
		const { id } = await aProgram(await signUp());
		const counted = countingTrips(env.DB);
		const reads = {
			program: db.select({ id: programs.id, active: programs.active, domain: programs.domain }).from(programs).where(eq(programs.id, id)),
			joined: db
				.select({ program: { id: programs.id, name: programs.name }, workspace: { id: workspaces.id, name: workspaces.name } })
				.from(programs)
				.innerJoin(workspaces, eq(workspaces.id, programs.workspaceId))
				.where(eq(programs.id, id)),
			none: db
				.select({ id: programs.id })
				.from(programs)
				.where(sql`0`),
		};
		const found = await read(openDatabase(counted), { ...reads, leftOut: undefined as typeof reads.none | undefined });
		expect(found).toEqual({ program: await reads.program, joined: await reads.joined, none: [], leftOut: [] });
		expect(found.program[0]?.active).toBe(true);
		expect(counted.trips()).toBe(1);
	});

	test('without a query take no trip', async () => {
		const counted = countingTrips(env.DB);
		expect(await read(openDatabase(counted), { leftOut: undefined })).toEqual({ leftOut: [] });
		expect(counted.trips()).toBe(0);
	});

	test('keep the order of rows, and every value unchanged', async () => {
		const values = [1, -0.5, 9_007_199_254_740_991, 0, 'a "quoted" line\n', '', 'é€😀', null];
		const found = await read(db, {
			rows: db
				.select({ value: sql<unknown>`value` })
				.from(sql`json_each(${JSON.stringify(values)})`)
				.orderBy(sql`key DESC`),
			json: db.select({ list: sql<string>`json_array(1, json('{"a":[]}'))`, text: sql<string>`'[1]'` }).from(sql`(SELECT 1)`),
		});
		expect(found.rows.map(({ value }) => value)).toEqual(values.toReversed());
		expect(found.json).toEqual([{ list: '[1,{"a":[]}]', text: '[1]' }]);
	});
});

function refuse(programId: number) {
	return db
		.insert(refusedOrigins)
		.values({ programId, origin: 'https://a.example', refusedAt: 7 })
		.returning({ at: refusedOrigins.refusedAt });
}

function refused(programId: number) {
	return db.select({ origin: refusedOrigins.origin }).from(refusedOrigins).where(eq(refusedOrigins.programId, programId));
}

describe('writes', () => {
	test('with named results, which come last and in order: one trip, one transaction', async () => {
		const [counted, { id }] = [countingTrips(env.DB), await aProgram(await signUp())];
		const answers = await write(openDatabase(counted), [refuse(id)], {
			before: refused(id),
			removed: db.delete(refusedOrigins).where(eq(refusedOrigins.programId, id)).returning({ at: refusedOrigins.refusedAt }),
			after: refused(id),
			leftOut: undefined as ReturnType<typeof refused> | undefined,
		});
		expect(answers).toEqual({ before: [{ origin: 'https://a.example' }], removed: [{ at: 7 }], after: [], leftOut: [] });
		expect(counted.trips()).toBe(1);
	});

	test('write nothing if one of them fails, named or not', async () => {
		const { id } = await aProgram(await signUp());
		await expect(write(db, [refuse(id)], { twice: refuse(id) })).rejects.toThrow('UNIQUE');
		await expect(write(db, [refuse(id), refuse(id)], { refused: refused(id) })).rejects.toThrow('UNIQUE');
		expect(await refused(id)).toEqual([]);
	});

	test('without a statement take no trip', async () => {
		const counted = countingTrips(env.DB);
		expect(await write(openDatabase(counted), [])).toEqual({});
		expect(counted.trips()).toBe(0);
	});
});

describe('prepared', () => {
	const named = prepare(({ db: builder, now }, given: Placeholders<{ id: number; name?: string | null }>) =>
		builder
			.select({ name: sql<string | null>`${given.name ?? 'nothing given'}`, at: sql<number>`${now}`, active: programs.active })
			.from(programs)
			.where(and(eq(programs.id, given.id), eq(programs.active, true))),
	);

	test('a statement is bound to the values and time of each call', async () => {
		const [one, other] = [await aProgram(await signUp()), await aProgram(await signUp())];
		const { first, second } = await read(db, {
			first: named(sender, { id: one.id, name: 'one' }),
			second: named({ db, now: 7 }, { id: other.id, name: 'other' }),
		});
		expect(first).toEqual([{ name: 'one', at: sender.now, active: true }]);
		expect(second).toEqual([{ name: 'other', at: 7, active: true }]);
	});

	test('an undefined value is left out; null is a value', async () => {
		const { id } = await aProgram(await signUp());
		const { left, nothing, given } = await read(db, {
			left: named(sender, { id }),
			nothing: named(sender, { id, name: null }),
			given: named(sender, { id, name: 'given' }),
		});
		expect([left, nothing, given].map(([row]) => row?.name)).toEqual(['nothing given', null, 'given']);
	});

	test('a value never becomes part of the SQL text', () => {
		const hostile = `'); DROP TABLE programs; --`;
		const { sql: text, params } = named(sender, { id: 1, name: hostile });
		expect(text).not.toContain('DROP');
		expect(params).toEqual([hostile, sender.now, 1]);
	});

	test('constants are part of the text, so that partial indexes are used without replanning', () => {
		const { sql: text } = named(sender, { id: 1 });
		expect(text).toContain('= 1)');
		expect(boundOf(db.select({ id: programs.id }).from(programs).where(eq(programs.active, true))).params).toEqual([1]);
	});

	test('combined look-ups return what each would alone, in one trip', async () => {
		const values = [1, -0.5, 9_007_199_254_740_991, 0, 'a "quoted" line\n', '', 'é€😀', '[1]', null];
		const together = prepare(({ db: builder }, given: Placeholders<{ list: string }>) => ({
			rows: builder
				.select({ value: sql<unknown>`value` })
				.from(sql`json_each(${given.list})`)
				.orderBy(sql`key DESC`),
			json: builder.select({ list: sql<string>`json_array(1, json('{"a":[]}'))`, text: sql<string>`'[1]'` }).from(sql`(SELECT 1)`),
			none: builder
				.select({ id: programs.id })
				.from(programs)
				.where(sql`0`),
		}));
		const counted = countingTrips(env.DB);
		const found = await read(openDatabase(counted), together(sender, { list: JSON.stringify(values) }));
		expect(found.rows.map(({ value }) => value)).toEqual(values.toReversed());
		expect(found.json).toEqual([{ list: '[1,{"a":[]}]', text: '[1]' }]);
		expect(found.none).toEqual([]);
		expect(counted.trips()).toBe(1);
	});

	test('look-ups may refer to one row, and find nothing without it', async () => {
		const { id } = await aProgram(await signUp());
		const ofProgram = prepare(
			({ db: builder }, given: Placeholders<{ id: number; name: string }>) => ({
				told: builder.select({ name: sql<string>`${given.name}`, active: sql<number>`asked.active` }).from(sql`(SELECT 1)`),
				workspace: builder
					.select({ id: workspaces.id })
					.from(workspaces)
					.where(sql`${workspaces.id} = asked.workspace_id`),
			}),
			(given) => sql`programs AS asked WHERE asked.id = ${given.id}`,
		);
		const { told, workspace } = await read(db, ofProgram(sender, { id, name: 'tea' }));
		expect([told, workspace.length]).toEqual([[{ name: 'tea', active: 1 }], 1]);
		expect(await read(db, ofProgram(sender, { id: -1, name: 'tea' }))).toEqual({ told: [], workspace: [] });
	});

	test('an id assigned by SQLite is not in the statement', async () => {
		const insert = prepare(({ db: builder }, given: Placeholders<{ name: string }>) =>
			builder.insert(workspaces).values({ name: given.name, createdAt: 0 }).returning({ id: workspaces.id }),
		);
		expect(insert(sender, { name: 'tea' }).sql).toMatch(/^insert into "workspaces" \("name", "created_at"\) values \(\?, 0\)/);
		const { one, other } = await write(db, [], { one: insert(sender, { name: 'tea' }), other: insert(sender, { name: 'tea' }) });
		expect(other[0]?.id).toBe(Number(one[0]?.id) + 1);
	});

	test('a look-up with more columns than D1 allows in a function is refused when it is built', () => {
		const columns = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`column${index}`, sql<number>`${index}`]));
		const wide = prepare(({ db: builder }) => ({ wide: builder.select(columns).from(sql`(SELECT 1)`) }));
		expect(() => wide(sender, {})).toThrow('columns of wide');
	});

	test('the text is built once for all calls', async () => {
		let made = 0;
		const counted = prepare(({ db: builder }, given: Placeholders<{ id: number }>) => {
			made += 1;
			return { program: builder.select({ id: programs.id }).from(programs).where(eq(programs.id, given.id)) };
		});
		const ids = [(await aProgram(await signUp())).id, (await aProgram(await signUp())).id];
		const found = await Promise.all(ids.map((id) => read(db, counted(sender, { id }))));
		expect(found.map(({ program }) => program)).toEqual(ids.map((id) => [{ id }]));
		expect(made).toBe(1);
	});
});
