// Planted faults, to prove that the crash test finds them: `npm run crash -- --plant <name>`.

export const PLANTS = {
	'sale-before-commit': 'the Worker answers a sale 40 ms before its batch is committed',
	'split-batch': 'the Worker writes the statements of a batch one by one',
	'done-before-effect': 'an outbox row is deleted first, and takes effect 100 ms later',
	'delete-before-file': 'the bucket answers 300 ms before it stores a file of retired clicks, so their rows are deleted first',
	'lost-tail': 'the disk loses the last writes at a kill, as if they had been answered before they were on disk',
} as const;

export type Plant = keyof typeof PLANTS;

export function isPlant(name: string | undefined): name is Plant {
	return name !== undefined && Object.hasOwn(PLANTS, name);
}

/** The database as a Worker with this fault sees it. */
export function plantIn(db: D1Database, plant: Plant, execution: ExecutionContext): D1Database {
	if (plant === 'lost-tail' || plant === 'delete-before-file') return db;
	const batch = { 'sale-before-commit': answerEarly, 'split-batch': splitBatch, 'done-before-effect': doneFirst }[plant];
	return new Proxy(db, {
		get(target, name) {
			if (name === 'batch') return (statements: D1PreparedStatement[]) => batch(target, statements, execution);
			// Sessions have the fault too.
			if (name === 'withSession')
				return () => ({
					prepare: (query: string) => target.prepare(query),
					batch: (statements: D1PreparedStatement[]) => batch(target, statements, execution),
					getBookmark: () => null,
				});
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}

async function splitBatch(db: D1Database, statements: D1PreparedStatement[]): Promise<D1Result[]> {
	if (statements.every((statement) => /^(select|with)/i.test(textOf(statement)))) return db.batch(statements);
	const answers: D1Result[] = [];
	for (const statement of statements) answers.push(...(await db.batch([statement])));
	return answers;
}

async function doneFirst(db: D1Database, statements: D1PreparedStatement[]): Promise<D1Result[]> {
	const last = statements.at(-1);
	if (!last || !/^delete from outbox/i.test(textOf(last))) return db.batch(statements);
	const done = await db.batch([last]);
	await pause(100);
	return [...(await db.batch(statements.slice(0, -1))), ...done];
}

let turn: Promise<unknown> = Promise.resolve();

/** Answers with the ids that the sale will get, and commits later. Other batches wait, so only a kill can reveal the fault. */
async function answerEarly(db: D1Database, statements: D1PreparedStatement[], execution: ExecutionContext): Promise<D1Result[]> {
	const sells = statements.some((statement) => textOf(statement).startsWith('insert into "affiliate_sale_events"'));
	const mine = turn.then(() => (sells ? rehearse(db, statements) : db.batch(statements)));
	const commit = sells ? mine.then(() => pause(40)).then(() => db.batch(statements)) : mine;
	turn = commit.catch(() => undefined);
	execution.waitUntil(turn);
	return mine;
}

async function rehearse(db: D1Database, statements: D1PreparedStatement[]): Promise<D1Result[]> {
	const abort = db.prepare("SELECT json('the rehearsal is over')");
	await db.batch([...statements, abort]).catch((error: unknown) => {
		if (!String(error).includes('malformed JSON')) throw error;
	});
	const nextId = async (table: string) => 1 + ((await db.prepare(`SELECT max(id) AS newest FROM ${table}`).first<number>('newest')) ?? 0);
	const earns = statements.some((statement) => textOf(statement).startsWith('insert into "commissions"'));
	const receipt = { c0: await nextId('affiliate_sale_events'), c1: earns ? await nextId('commissions') : null, c2: null };
	const nothing = { success: true, results: [], meta: {} } as unknown as D1Result;
	return statements.map((_, index) => (index === statements.length - 1 ? { ...nothing, results: [receipt] } : nothing));
}

/** The runtime's statements contain their text, although their type does not declare it. */
function textOf(statement: D1PreparedStatement): string {
	return (statement as unknown as { statement: string }).statement.trim();
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
