import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ManyPartners, manyPartners, type ManySales, manySales, readingRows } from '../support/beside-many.ts';
import { aFunnel, aSale, type Funnel } from '../support/funnel.ts';

// Each list reads an index of its own, so other data does not slow it down.

const PARTNERS = 1_500;
const SALES = 3_000;
/** A few rows per result. */
const FEW = 200;

let funnel: Funnel;
let commissionId: number | null;
let partners: ManyPartners;
let sales: ManySales;
let payoutId: number;

beforeAll(async () => {
	funnel = await aFunnel();
	({ commissionId } = await aSale(funnel));
	partners = await manyPartners(funnel, PARTNERS);
	sales = await manySales(funnel, partners, SALES);
	const { data } = await readingRows(funnel, `${programPath()}/payouts`, { commission_ids: [commissionId] });
	payoutId = data[0]?.id ?? 0;
	await env.DB.prepare(
		`INSERT INTO payouts (program_id, partner_program_id, currency, due_cents, recovered_cents, amount_cents, created_at, op_id)
		SELECT program_id, id, 'USD', 1, 0, 1, created_at, 'many-' || id FROM partner_programs WHERE program_id = ? AND id <> ?`,
	)
		.bind(funnel.id, funnel.partnerProgramId)
		.run();
});

const programPath = () => `/api/v1/programs/${funnel.id}`;
const list = async (query: string) => {
	const { data, meta, rowsRead } = await readingRows(funnel, `${programPath()}/${query}`);
	return { ids: data.map(({ id }) => id), next: meta?.next_cursor, rowsRead };
};

describe('a partner with few rows, among many partners', () => {
	test.each([
		['commissions', () => commissionId],
		['commissions?status=paid', () => commissionId],
		['payouts', () => payoutId],
		['links', undefined],
		['coupons', undefined],
	])('%s', async (path, id) => {
		const { ids, rowsRead } = await list(`${path}${path.includes('?') ? '&' : '?'}partner_id=${funnel.partnerId}`);
		if (id) expect(ids).toEqual([id()]);
		expect(rowsRead).toBeLessThan(FEW);
	});

	test('the commissions of a payout', async () => {
		const { ids, rowsRead } = await list(`commissions?payout_id=${payoutId}`);
		expect(ids).toEqual([commissionId]);
		expect(rowsRead).toBeLessThan(FEW);
	});
});

test('pages of a partner follow each other, newest first', async () => {
	const path = `commissions?partner_id=${partners.partnerId}&limit=1`;
	const { ids, next } = await list(path);
	expect(ids).toEqual([sales.commissionId + PARTNERS]);
	expect((await list(`${path}&cursor=${next}`)).ids).toEqual([sales.commissionId]);
});

test('approving commissions by id reads only those', async () => {
	const ids = Array.from({ length: 10 }, (_, index) => sales.commissionId + index);
	const { rowsRead } = await readingRows(funnel, `${programPath()}/commissions/approve`, { commission_ids: ids });
	expect(rowsRead).toBeLessThan(30 * ids.length);
});

test('the few failed or unsent payouts are found among many', async () => {
	await readingRows(funnel, `${programPath()}/payouts/${payoutId}/failed`, { reason: 'The account was closed' });
	const failed = await list('payouts?status=failed');
	expect(failed.ids).toEqual([payoutId]);
	expect(failed.rowsRead).toBeLessThan(FEW);
	await env.DB.prepare('UPDATE payouts SET sent_at = created_at WHERE program_id = ? AND failed_at IS NULL AND id % 500 > 0')
		.bind(funnel.id)
		.run();
	const made = await list('payouts?status=made&limit=100');
	expect(made.ids.length).toBeGreaterThan(0);
	expect(made.rowsRead).toBeLessThan(FEW);
});

test('the few applications in a state are found among many', async () => {
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO partner_applications (op_id, program_id, name, email, terms_version, status, created_at, decided_at)
		SELECT 'many-' || ?1 || '-' || i, ?1, 'One of many', 'applicant-' || i || '@people.example', 0, iif(i = 1, 'declined', 'open'), 1, iif(i = 1, 1, NULL)
		FROM n`,
	)
		.bind(funnel.id)
		.run();
	const { ids, rowsRead } = await list('applications?status=declined');
	expect(ids).toHaveLength(1);
	expect(rowsRead).toBeLessThan(FEW);
});
