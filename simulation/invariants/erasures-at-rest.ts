import { nameOf } from '../world/erased.ts';
import type { Simulation } from '../world/simulation.ts';
import type { FiledClick } from '../world/stored-clicks.ts';
import { violated } from './invariant.ts';

const NAME = 'nothing that is stored identifies an erased person';
/** Longer than the search of an erasure lasts. */
const SEARCHED_MS = 16 * 86_400_000;
/** Real queues drop messages older than this; the simulation does not. */
const HELD_MS = 14 * 86_400_000;
/** Where a click's message is stored. */
const OF_MESSAGES = ['affiliate_click_events.click_id', 'dead_letters.body'];

/** Waits until all searches have ended, then checks every table. */
export async function finishSearches(sim: Simulation, tick: () => Promise<void>): Promise<void> {
	if (sim.journal.of('erase').length === 0) return;
	sim.now += SEARCHED_MS;
	for (let round = 0; round < 2; round += 1) await tick();
	const open = sim.ground.sqlite.prepare('SELECT count(*) AS count FROM erasures WHERE sealed_search IS NOT NULL').get();
	if (open?.['count'] !== 0) throw violated(NAME, `${String(open?.['count'])} searches never end`);
	for (const [programId, id] of [...idsOfClicksAndKeys(sim), ...subscriptionsOf(sim)]) {
		sim.count('erased id looked for');
		const [place] = placesOf(sim, programId, id).filter((name) => !OF_MESSAGES.includes(name) || !isOld(sim, id));
		if (place !== undefined) throw violated(NAME, `${id} of program ${programId} is still in ${place}`);
	}
	for (const { program_id, click_id, erased_at } of sim.rows.customers)
		if (click_id !== null && erased_at !== null) checkFiles(sim, program_id, click_id, erased_at);
	// A retired click has no row that would show that its person was erased.
	for (const { request } of sim.journal.answered('erase')) {
		const { program, person } = request.params;
		if (person.by === 'clickId') checkFiles(sim, program.id, person.id, request.now);
	}
	const reachable = sim.rows.customers.find((row) => row.erased_at !== null && sim.erased.asStored(row).email_hash !== null);
	if (reachable) throw violated(NAME, `customer ${reachable.id} still has an email hash`);
}

/** Its message may have arrived after every search had ended. */
function checkFiles({ clicks }: Simulation, programId: number, id: string, erasedAt: number): void {
	const isLeft = (click: FiledClick) => click.programId === programId && click.clickId === id && clicks.firstSeen(click) <= erasedAt;
	const file = clicks.files().find((each) => each.clicks.some(isLeft));
	if (file) throw violated(NAME, `${id} of program ${programId} is still in file ${file.number} of ${file.day}`);
}

/** Whether the click's message may have arrived after every search had ended. */
function isOld({ now, issuedClicks }: Simulation, clickId: string): boolean {
	return now - SEARCHED_MS - (issuedClicks.get(clickId)?.clickedAt ?? 0) > HELD_MS;
}

function idsOfClicksAndKeys(sim: Simulation): [number, string][] {
	const ofCustomers = sim.rows.customers
		.filter(({ erased_at }) => erased_at !== null)
		.flatMap(({ program_id, customer_key, click_id }) =>
			[customer_key, click_id].flatMap((id): [number, string][] => (id === null ? [] : [[program_id, id]])),
		);
	const known = new Set(ofCustomers.map(([programId, id]) => nameOf(programId, id)));
	const gone = sim.erased.idsIn(sim.rows);
	const ofClicks = sim.rows.clicks
		.filter(({ program_id, click_id }) => gone.has(nameOf(program_id, click_id)) && !known.has(nameOf(program_id, click_id)))
		.map(({ program_id, click_id }): [number, string] => [program_id, click_id]);
	return [...ofCustomers, ...ofClicks];
}

function subscriptionsOf(sim: Simulation): [number, string][] {
	const erased = new Set(sim.rows.customers.filter(({ erased_at }) => erased_at !== null).map(({ id }) => id));
	const ids = sim.account.payers.flatMap(({ subscription }) => subscription?.id ?? []);
	return ids.flatMap((id) => {
		const sales = sim.rows.sales.filter(({ subscription_id }) => subscription_id === id);
		const [sale] = sales;
		return sale && sales.every(({ customer_id, program_id }) => erased.has(customer_id ?? 0) && program_id === sale.program_id)
			? [[sale.program_id, id]]
			: [];
	});
}

/** The columns that contain the text, in rows of this program or of no program. */
function placesOf(sim: Simulation, programId: number, text: string): string[] {
	return textColumns(sim).flatMap(({ table, columns, isOfProgram }) => {
		const sums = columns.map((column) => `sum(instr("${column}", ?1) > 0) AS "${column}"`).join();
		const found = sim.ground.sqlite.prepare(`SELECT ${sums} FROM "${table}" WHERE ${isOfProgram}`).get(text, programId) ?? {};
		return columns.filter((column) => Number(found[column]) > 0).map((column) => `${table}.${column}`);
	});
}

interface Columns {
	readonly table: string;
	readonly columns: readonly string[];
	/** The row belongs to program ?2, or to no program. */
	readonly isOfProgram: string;
}

/** A row's program, depending on which column its table has. */
const PROGRAM_BY = [
	['program_id', 'coalesce(program_id, ?2) = ?2'],
	['endpoint_id', 'endpoint_id IN (SELECT id FROM webhook_endpoints WHERE program_id = ?2)'],
	['postback_id', 'postback_id IN (SELECT id FROM postbacks WHERE program_id = ?2)'],
] as const;

const known = new WeakMap<object, readonly Columns[]>();

function textColumns({ ground }: Simulation): readonly Columns[] {
	const found = known.get(ground) ?? readColumns(ground.sqlite);
	known.set(ground, found);
	return found;
}

function readColumns(sqlite: Simulation['ground']['sqlite']): Columns[] {
	const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'").all();
	return tables.flatMap(({ name }) => {
		const table = String(name);
		const all = sqlite.prepare('SELECT name, type FROM pragma_table_info(?)').all(table);
		const columns = all.filter(({ type }) => String(type).toUpperCase() === 'TEXT').map((column) => String(column['name']));
		const [isOfProgram = '?2 = ?2'] = PROGRAM_BY.flatMap(([key, condition]) =>
			all.some((column) => column['name'] === key) ? [condition] : [],
		);
		return columns.length === 0 ? [] : [{ table, columns, isOfProgram }];
	});
}
