import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answersTo, type Earned, earnOfAllKinds, secretsOf } from './support/earnings.ts';
import { addressOf, DASHBOARD, PORTAL } from './support/pages.ts';
import { type Funnel, World } from './support/world.ts';

// No URL gives a partner access to another partner or to the dashboard.

let world: World;
let funnel: Funnel;
let earned: Earned;
/** Only Pat, or only the program, may see these texts. */
let walled: string[];
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ domain: 'shop.example.com', commission: { type: 'percent', percent: 20, hold_days: 30 } });
	earned = await earnOfAllKinds(world, funnel);
	// Accepts Pat's invitation.
	await (await world.partnersBrowser(funnel)).close();
	walled = [...(await secretsOf(world)), funnel.patsEmail, funnel.pat, 'Own order', 'Broken cup', 'wire 7', 'The account is closed'];
});
afterAll(() => world.close());

interface Visit {
	readonly told: string;
	readonly text: string;
	readonly answers: readonly { readonly path: string; readonly status: number; readonly text: string }[];
}

/** Waits until the page is complete, and until `words` appear if given. */
async function visit(browser: BrowserContext, address: string, words?: string): Promise<Visit> {
	const page = await browser.newPage();
	const answers = answersTo(page);
	await page.goto(address);
	await page.waitForLoadState('networkidle');
	await page.getByRole('heading').first().waitFor();
	if (words !== undefined) await page.getByText(words).first().waitFor();
	await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
	const read = await Promise.all(answers.map(async ({ text, ...answer }) => ({ ...answer, text: await text })));
	const visited = {
		told: [await page.content(), ...read.map(({ text }) => text)].join('\n'),
		text: await page.locator('body').innerText(),
		answers: read,
	};
	await page.close();
	return visited;
}

describe('another partner of the program', () => {
	let dana: BrowserContext;
	beforeAll(async () => {
		dana = await world.fellowsBrowser(funnel);
	});

	test.each(PORTAL.filter((path) => path.includes('$membershipId')))("sees a 404 at Pat's %s", async (path) => {
		const { told, text, answers } = await visit(dana, addressOf(funnel, 'portal', path));
		expect(text).toContain('Partner program not found');
		expect(walled.filter((secret) => told.includes(secret))).toEqual([]);
		const foreign = answers.filter((answer) => answer.path.startsWith(`/api/v1/partner-programs/${funnel.partnerProgramId}`));
		expect(foreign.length).toBeGreaterThan(0);
		expect(foreign.filter((answer) => answer.status !== 404 || answer.text !== '{"error":"Partner program not found"}')).toEqual([]);
	});

	test("finds nothing of Pat's under their own address", async () => {
		const [own] = await world.service.rows<{ id: number }>(
			'SELECT id FROM partner_programs WHERE program_id = ? AND id <> ?',
			funnel.programId,
			funnel.partnerProgramId,
		);
		const danas = { ...funnel, partnerProgramId: own?.id ?? 0 };
		for (const [path, words] of [
			[`/commissions?open=${earned.paid}`, 'Commission not found'],
			[`/payouts?open=${earned.payouts.sent}`, 'Payout not found'],
		] as const) {
			const { told, text } = await visit(dana, addressOf(danas, 'portal', `/programs/$membershipId${path}`));
			expect(text).toContain(words);
			expect(walled.filter((secret) => told.includes(secret))).toEqual([]);
		}
	});
});

const isOfWorkspace = (path: string) => /\$(program|workspace)Id/.test(path);

describe('a person who is only a partner', () => {
	let pat: BrowserContext;
	beforeAll(async () => {
		pat = await world.partnersBrowser(funnel);
		walled = (await secretsOf(world)).concat(funnel.danasEmail, funnel.dana, funnel.apiToken, 'ada@shop.example');
	});

	test.each(DASHBOARD.filter(isOfWorkspace))("sees the reason for no access at the dashboard's %s", async (path) => {
		const words = 'You are not an active member of this workspace';
		const { told, text, answers } = await visit(pat, addressOf(funnel, 'dashboard', path), words);
		expect(text).toContain(words);
		expect(walled.filter((secret) => told.includes(secret))).toEqual([]);
		const managing = answers.filter((answer) => /^\/api\/(v1\/(programs|workspaces)\/|tracking\/)/.test(answer.path));
		expect(managing.length).toBeGreaterThan(0);
		expect(managing.filter((answer) => answer.status !== 403 || Object.keys(JSON.parse(answer.text)).join() !== 'error')).toEqual([]);
	});

	test.each(DASHBOARD.filter((path) => !isOfWorkspace(path)))("sees only their own data at the dashboard's %s", async (path) => {
		const { told, answers } = await visit(pat, addressOf(funnel, 'dashboard', path));
		expect(walled.filter((secret) => told.includes(secret))).toEqual([]);
		expect(answers.filter((answer) => /^\/api\/(v1\/(programs|workspaces)\/|tracking\/)/.test(answer.path))).toEqual([]);
	});
});
