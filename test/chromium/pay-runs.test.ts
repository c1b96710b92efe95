import { afterAll, beforeAll, expect, test } from 'vitest';
import { manyEarned } from '../../testing/many-earned.ts';
import { openTab, signIn } from './support/dashboard.ts';
import { complaintsOf, World } from './support/world.ts';

// A run pays many partners in the background (decision 64).

let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

/** The most rows that one statement can insert. */
const PART = { partners: 600, commissions: 10_000 };
const PARTS = process.env['FULL_SIZE'] === '1' ? 5 : 1;
const PARTNERS = PART.partners * PARTS;
const PAYOUTS = `${PARTNERS.toLocaleString('en-US')} payouts`;

test('tens of thousands of commissions are paid, even after the tab is closed', async () => {
	const funnel = await world.funnel({});
	const { programId } = funnel;
	for (let part = 0; part < PARTS; part += 1) {
		const statements = manyEarned({ programId, ...PART, prefix: `many${part}`, now: Date.now() - 60_000 });
		for (const statement of statements) await world.service.rows(statement);
	}
	const visitor = await world.visitor();
	const page = await signIn(visitor, funnel, 'payouts');
	const complaints = complaintsOf(page);
	const isDue = page.getByText(new RegExp(`^${PAYOUTS} ready: \\$`));
	await isDue.waitFor();
	const due = (await isDue.textContent())?.split(': ')[1] ?? '';
	await page.getByText(`${PAYOUTS} go to partners without payout details.`).waitFor();
	await page.getByRole('button', { name: 'Create payouts' }).click();
	const dialog = page.getByRole('alertdialog', { name: `Create ${PAYOUTS} of ${due}?` });
	await dialog.getByText(`${PAYOUTS} go to partners without payout details. You can create them now`).waitFor();
	await dialog.getByRole('button', { name: 'Create payouts' }).click();
	await page.getByText(`of ${PAYOUTS} created`).waitFor();
	expect(complaints).toEqual([]);
	await page.close();

	const again = await openTab(visitor, funnel, 'payouts');
	const complaintsAgain = complaintsOf(again);
	await again.getByText(`Created: ${PAYOUTS} of ${due}`).waitFor();
	await again.getByText('Nothing is due').waitFor();
	await again.getByRole('button', { name: 'See the results' }).click();
	const results = again.getByRole('region', { name: 'Results by partner' });
	await results
		.getByRole('row', { name: new RegExp(`Partner 00001 Payout \\d+: ${Math.ceil(PART.commissions / PART.partners)} commissions`) })
		.waitFor();
	expect(complaintsAgain).toEqual([]);

	const [books] = await world.service.rows(
		`SELECT count(*) AS payouts, count(DISTINCT partner_program_id) AS partners,
			(SELECT count(*) FROM commissions WHERE program_id = ?1 AND status <> 'paid') AS unpaid,
			(SELECT sum(abs(balance_cents)) FROM partner_program_balances b JOIN partner_programs p ON p.id = b.partner_program_id WHERE p.program_id = ?1) AS left_over
		FROM payouts WHERE program_id = ?1`,
		programId,
	);
	expect(books).toEqual({ payouts: PARTNERS, partners: PARTNERS, unpaid: 0, left_over: 0 });
});
