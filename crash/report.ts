import { DATABASE_CHECKS } from './books.ts';
import { KINDS } from './journal.ts';
import type { Findings } from './tally.ts';

const DETAILS_SHOWN = 12;

export function reportRound(round: { round: number; loadMs: number; acknowledged: number; restartMs: number }): void {
	console.log(
		`round ${String(round.round).padStart(3)}: killed after ${String(round.loadMs).padStart(4)} ms of load, ${String(round.acknowledged).padStart(4)} writes acknowledged, ` +
			`back after ${String(Math.round(round.restartMs)).padStart(4)} ms`,
	);
}

export interface Result {
	readonly findings: Findings;
	readonly broken: readonly string[];
	readonly clicks: number;
	readonly unflushed: { readonly clicks: number; readonly leads: number; readonly sales: number };
	readonly retired: { readonly clicks: number; readonly files: number; readonly replaced: number; readonly misplaced: readonly string[] };
	/** Payments and refunds that only the processor's events reported. */
	readonly reported: { readonly payments: number; readonly refunds: number };
	readonly restarts: readonly number[];
	readonly notifications: number;
	readonly seconds: number;
}

/** Prints the result. Returns true if nothing is wrong. */
export function report({ findings, broken, clicks, unflushed, retired, reported, restarts, notifications, seconds }: Result): boolean {
	const columns = ['acknowledged', 'unanswered', 'of which recorded', 'repetitions recognised', 'lost', 'doubled', 'wrong'];
	console.log(`\n${''.padEnd(10)}${columns.map((column) => column.padStart(column.length + 2)).join('')}`);
	for (const kind of KINDS) {
		const { acknowledged, unknown, recordedUnanswered, repetitions, lost, doubled, wrong } = findings.tallies[kind];
		const figures = [acknowledged, unknown, recordedUnanswered, repetitions, lost, doubled, wrong];
		console.log(
			`${`${kind}s`.padEnd(10)}${figures.map((figure, index) => String(figure).padStart((columns[index]?.length ?? 0) + 2)).join('')}`,
		);
	}
	console.log(
		`\n${clicks} clicks answered; ${unflushed.clicks} of them were lost with the local queue's memory, ` +
			`but their ${unflushed.leads} leads and ${unflushed.sales} sales are attributed.`,
	);
	console.log(
		`${retired.clicks} clicks were retired into ${retired.files} files, ${retired.replaced} of which were replaced after a kill before their rows were deleted; ` +
			`${retired.misplaced.length} clicks are lost, doubled or left.`,
	);
	console.log(`The processor's events report ${reported.payments} payments and ${reported.refunds} refunds of them.`);
	console.log(
		`${DATABASE_CHECKS} checks of the database (they include ${notifications} notifications, each sent once, and every figure of the reports, compared with the raw rows): ${broken.length} failed.`,
	);
	const violations = findings.details.length + broken.length + retired.misplaced.length;
	console.log(
		`${restarts.length} kills, restart ${Math.round(medianOf(restarts))} ms (median), ${findings.acknowledged} writes acknowledged, ${violations} violations, ${seconds.toFixed(0)} s.`,
	);
	const details = [...broken, ...retired.misplaced, ...findings.details];
	if (details.length > 0) console.log('');
	for (const detail of details.slice(0, DETAILS_SHOWN)) console.log(`  ${detail}`);
	if (details.length > DETAILS_SHOWN) console.log(`  ... and ${details.length - DETAILS_SHOWN} more`);
	return violations === 0;
}

function medianOf(figures: readonly number[]): number {
	return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}
