import { afterAll, beforeAll, expect, test } from 'vitest';
import { manyEarned } from '../../testing/many-earned.ts';
import { openTab, signIn } from './support/dashboard.ts';
import { complaintsOf, World } from './support/world.ts';

// Many partners are paid by a run, which goes on when nobody looks (decision 64).

let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

test('12,000 commissions of 700 partners are paid, with the tab closed in the middle', async () => {
	const funnel = await world.funnel({});
	const { programId } = funnel;
	for (const statement of manyEarned({ programId, partners: 700, commissions: 12_000, prefix: 'many', now: Date.now() - 60_000 })) {
		await world.service.rows(statement);
	}
	const visitor = await world.visitor();
	const page = await signIn(visitor, funnel, 'payouts');
	const complaints = complaintsOf(page);
	await page.getByText(/^700 payouts due: \$/).waitFor();
	const due = (await page.getByText(/^700 payouts due: \$/).textContent())?.split(': ')[1] ?? '';
	await page.getByRole('button', { name: 'Make payouts' }).click();
	const dialog = page.getByRole('alertdialog', { name: `Make 700 payouts of ${due}?` });
	await dialog.getByText('700 payouts will be in no file').waitFor();
	await dialog.getByRole('button', { name: 'Make payouts' }).click();
	await page.getByText(/of 700 payouts made/).waitFor();
	expect(complaints).toEqual([]);
	await page.close();

	const again = await openTab(visitor, funnel, 'payouts');
	const complaintsAgain = complaintsOf(again);
	await again.getByText(`Made: 700 payouts of ${due}`).waitFor();
	await again.getByText('Nothing is due').waitFor();
	await again.getByRole('button', { name: 'See the results' }).click();
	const results = again.getByRole('region', { name: 'Results, partner by partner' });
	await results.getByRole('row', { name: /Partner 00001 Payout \d+: 18 commissions/ }).waitFor();
	expect(complaintsAgain).toEqual([]);

	const [books] = await world.service.rows(
		`SELECT count(*) AS payouts, count(DISTINCT partner_program_id) AS partners,
			(SELECT count(*) FROM commissions WHERE program_id = ?1 AND status <> 'paid') AS unpaid,
			(SELECT sum(abs(balance_cents)) FROM partner_program_balances b JOIN partner_programs p ON p.id = b.partner_program_id WHERE p.program_id = ?1) AS left_over
		FROM payouts WHERE program_id = ?1`,
		programId,
	);
	expect(books).toEqual({ payouts: 700, partners: 700, unpaid: 0, left_over: 0 });
});
