import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { manyEarned } from '../../testing/many-earned.ts';
import { hurdlesOn } from './support/axe.ts';
import { openTab, signIn } from './support/dashboard.ts';
import { holdRequests } from './support/held.ts';
import { complaintsOf, type Funnel, World } from './support/world.ts';

// A run that decides thousands of commissions, seen on the commissions page (decision 65).

const MANY = 6_934;
const DAY_MS = 86_400_000;

let world: World;
let visitor: BrowserContext;
beforeAll(async () => {
	world = await World.open();
});
beforeEach(async () => {
	visitor = await world.visitor();
});
afterAll(() => world.close());

/** The commissions of 1.00 are on hold. */
async function aProgramWith(commissions: number): Promise<Funnel> {
	const funnel = await world.funnel({ commission: { type: 'percent', percent: 100, hold_days: 30 } });
	const now = Date.now();
	const size = { partners: 40, commissions, dollars: 1 };
	const prefix = `many-${funnel.programId}`;
	for (const statement of manyEarned({ programId: funnel.programId, prefix, now: now - DAY_MS, holdUntil: now + 30 * DAY_MS, ...size })) {
		await world.service.rows(statement);
	}
	return funnel;
}

async function countOf({ programId }: Funnel, status: string): Promise<number> {
	const [found] = await world.service.rows<{ n: number }>(
		'SELECT count(*) AS n FROM commissions WHERE program_id = ? AND status = ?',
		programId,
		status,
	);
	return found?.n ?? 0;
}

/** The page receives the first response to an address with this part only after `letThrough`. */
async function holdFirstResponse(page: Page, part: string) {
	const { promise: isHeld, resolve: holds } = Promise.withResolvers<void>();
	await page.exposeFunction('responseIsHeld', holds);
	await page.addInitScript((heldPart) => {
		const { promise, resolve } = Promise.withResolvers<void>();
		let isFirst = true;
		const send = globalThis.fetch;
		globalThis.fetch = async (input, init) => {
			const response = await send(input, init);
			const url = input instanceof Request ? input.url : String(input);
			if (!isFirst || !url.includes(heldPart)) return response;
			isFirst = false;
			Object.assign(globalThis, { letThrough: resolve });
			Reflect.get(globalThis, 'responseIsHeld')();
			await promise;
			return response;
		};
	}, part);
	return { isHeld, letThrough: () => page.evaluate(() => void Reflect.get(globalThis, 'letThrough')()) };
}

async function selectAll(page: Page): Promise<void> {
	await page.locator('thead .tick').click();
	await page.getByRole('button', { name: /^Select all [\d,]+ commissions that match$/ }).click();
}

test('all that match are approved in the background after the tab is closed, and another one shows the result', async () => {
	const funnel = await aProgramWith(MANY);
	const page = await signIn(visitor, funnel, 'commissions?status=pending');
	const complaints = complaintsOf(page);
	await selectAll(page);
	await page.getByText('All 6,934 commissions that match, $6,934.00').waitFor();
	await page.getByRole('button', { name: 'Approve all 6,934' }).click();
	await page.getByRole('alertdialog', { name: 'Approve 6,934 commissions, $6,934.00?' }).getByRole('button', { name: 'Approve' }).click();
	await page.getByText('Started: the service is approving them now').waitFor();
	expect(complaints).toEqual([]);
	await page.close();
	const again = await openTab(visitor, funnel, 'commissions?status=approved');
	await again.getByText('Approved 6,934 commissions, $6,934.00.').waitFor();
	await again.getByRole('link', { name: /^Approved\s*\$6,934\.00\s*6,934$/ }).waitFor();
	expect(await countOf(funnel, 'approved')).toBe(MANY);
	expect(await hurdlesOn(again)).toEqual([]);
	await again.getByRole('button', { name: 'Hide' }).click();
	await expect.poll(() => again.getByText('Approved 6,934 commissions').count()).toBe(0);
	await again.reload();
	await again.getByRole('link', { name: /^Approved\s*\$6,934\.00/ }).waitFor();
	expect(await again.getByText('Approved 6,934 commissions').count()).toBe(0);
});

test('figures that were read before a run ended, but arrive after its result, are fetched again', async () => {
	const funnel = await aProgramWith(600);
	const page = await signIn(visitor, funnel, 'commissions?status=pending');
	await page.getByRole('row', { name: /many-/ }).first().waitFor();
	const late = await visitor.newPage();
	const figures = await holdFirstResponse(late, '/commissions/summary');
	const runs = await holdRequests(late, /\/runs\?/);
	await late.goto(page.url().replace('pending', 'approved'));
	await figures.isHeld;
	await selectAll(page);
	await page.getByRole('button', { name: 'Approve all 600' }).click();
	await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
	await page.getByText('Approved 600 commissions, $600.00.').waitFor();
	runs.letThrough();
	await late.getByText('Approved 600 commissions, $600.00.').waitFor();
	await figures.letThrough();
	await late.getByRole('link', { name: /^Approved\s*\$600\.00\s*600$/ }).waitFor();
});

test('a running run shows its progress, prevents a second one of its kind, and can be stopped', async () => {
	const funnel = await aProgramWith(700);
	const page = await signIn(visitor, funnel, 'commissions?status=pending');
	await page.getByRole('row', { name: /many-/ }).first().waitFor();
	// Its long lease keeps consumers away.
	await world.service.rows(
		`INSERT INTO runs (program_id, kind, selection, until_id, expected_count, counts, sums, op_id, created_by, created_at, lease_until)
		VALUES (?1, 'reject', '{"isCounted":true,"untilId":0}', 0, 700, '{"decided":200}', '{"USD":20000}', 'held', 1, ?2, ?2 + 86400000)`,
		funnel.programId,
		Date.now(),
	);
	await page.reload();
	await page.getByText('Rejecting commissions: 200 of 700').first().waitFor();
	expect(await page.getByRole('progressbar').getAttribute('value')).toBe('200');
	expect(await hurdlesOn(page)).toEqual([]);
	await selectAll(page);
	await page.getByText('Only one run at a time. Wait until the one above has finished.').waitFor();
	expect(await page.getByRole('button', { name: 'Reject all 700' }).isDisabled()).toBe(true);
	expect(await page.getByRole('button', { name: 'Approve all 700' }).isDisabled()).toBe(false);
	await page.getByRole('button', { name: 'Stop' }).click();
	await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
	await page.getByText('Rejected 200 of 700 commissions, $200.00. Then the run was stopped.').waitFor();
	expect(await countOf(funnel, 'pending')).toBe(700);
});

test('a rejection of everything has a reason, which every commission shows', async () => {
	const funnel = await aProgramWith(600);
	const page = await signIn(visitor, funnel, 'commissions?status=pending');
	await selectAll(page);
	await page.getByRole('button', { name: 'Reject all 600' }).click();
	await page.getByLabel('Reason').fill('Bought it themselves');
	await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
	await page.getByText('Rejected 600 commissions, $600.00.').waitFor();
	await page.getByText('There are no commissions that are on hold').waitFor();
	const reasons = 'SELECT DISTINCT rejection_reason AS reason FROM commissions WHERE program_id = ?';
	expect(await world.service.rows(reasons, funnel.programId)).toEqual([{ reason: 'Bought it themselves' }]);
});
