import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Operator, OUT_OF_ORDER, startOperator } from './support/operator.ts';

// The optional R2 bucket for retired clicks.

let operator: Operator;
beforeEach(async () => {
	operator = await startOperator();
});
afterEach(() => operator.stop());

/** The name of the bucket that the Worker uses. */
function bound(): unknown {
	return operator.cloud.state.workers.get('affiliate-tracker')?.bindings.find(({ name }) => name === 'CLICK_FILES')?.['bucket_name'];
}

/** Records a retired day with its files, as the job does. */
async function retire(files: number): Promise<void> {
	await operator.cloud.rows(`
		INSERT INTO workspaces (id, name, created_at) VALUES (1, 'Acme', 0);
		INSERT INTO programs (id, workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
			VALUES (1, 1, 'Acme', 'EUR', 30, 'UTC', 1, 0, 0, 0);
		INSERT INTO retired_click_days (program_id, day, clicks, files, bytes, retired_at) VALUES (1, '2026-01-01', 5, ${files}, 100, 0)`);
}

test('a bucket is created near the database, bound, and kept by later deployments, even without the deploy file', async () => {
	const { code, said } = await operator.deploy(['--location', 'weur', '--click-bucket', 'acme-clicks']);
	expect([code, said]).toEqual([0, expect.stringContaining('> create the R2 bucket acme-clicks')]);
	expect(operator.cloud.state.buckets).toEqual([{ name: 'acme-clicks', location: 'weur' }]);
	expect(bound()).toBe('acme-clicks');

	expect((await operator.deploy()).said).toMatch(/exists: R2 bucket acme-clicks[^]*Changed: only the upload/);
	rmSync(operator.file);
	expect((await operator.deploy()).said).toContain('exists: R2 bucket acme-clicks');
	expect([bound(), operator.cloud.state.buckets.length]).toEqual(['acme-clicks', 1]);
	expect(operator.config()).toContain('bucket_name = "acme-clicks"');
});

test('a deployment without a bucket asks R2 for nothing and tracks', async () => {
	operator.cloud.state.isR2Enabled = false;
	const { code, said } = await operator.deploy();
	expect([code, said]).toEqual([0, expect.stringContaining('ok  the dashboard opens')]);
	expect(operator.cloud.calls).not.toContain('r2 find');
	expect(bound()).toBeUndefined();
});

test.each([
	['with', {}],
	['without', { env: {}, wrangler: () => Promise.resolve({ code: 1, output: 'Not logged in.', stdout: '' }) }],
])('a dry run %s credentials shows the bucket and creates nothing', async (_, otherwise) => {
	const { code, said } = await operator.deploy(['--dry-run', '--click-bucket', 'acme-clicks'], otherwise);
	expect([code, said]).toEqual([
		0,
		expect.stringMatching(/with r2_buckets: none -> .*acme-clicks[^]*would create the R2 bucket acme-clicks/),
	]);
	expect(operator.cloud.state.buckets).toEqual([]);
});

test('a dry run lists the question', async () => {
	expect((await operator.deploy(['--dry-run'])).said).toMatch(/would ask: R2 bucket for clicks .* \(--click-bucket; default: none\)/);
});

test('the bucket is in the jurisdiction of the database', async () => {
	operator.cloud.faultAt = (name) => (name === 'queues create' ? OUT_OF_ORDER : undefined);
	await operator.deploy(['--location', 'eu']);
	operator.cloud.faultAt = undefined;
	expect(await operator.deploy(['--click-bucket', 'acme-clicks'])).toEqual({
		code: 0,
		said: expect.stringContaining('> create the R2 bucket acme-clicks in eu'),
	});
	expect(operator.cloud.state.buckets).toEqual([{ name: 'acme-clicks', jurisdiction: 'eu' }]);
	rmSync(operator.file);
	expect((await operator.deploy()).said).toContain('exists: R2 bucket acme-clicks in eu');
});

test('if R2 is not enabled, it says how to enable it or to go on without', async () => {
	operator.cloud.state.isR2Enabled = false;
	const { code, said } = await operator.deploy(['--click-bucket', 'acme-clicks']);
	expect(code).toBe(1);
	expect(said).toMatch(/R2 is not enabled for this account\. Enable it at https:\S+\/r2\/overview.*--click-bucket none/);
	expect(await operator.deploy(['--click-bucket', 'none'])).toEqual({ code: 0, said: expect.not.stringContaining('Warning') });
	expect(bound()).toBeUndefined();
});

test('if the token lacks the permission for R2, it names the permission', async () => {
	operator.cloud.faultAt = (name) => (name === 'r2 find' ? { status: 403, code: 10_000, message: 'Authentication error' } : undefined);
	expect(await operator.deploy(['--click-bucket', 'acme-clicks'])).toEqual({
		code: 1,
		said: expect.stringContaining('Account > Workers R2 Storage > Edit'),
	});
});

test('if the answer to the creation is lost, the bucket still counts as created', async () => {
	operator.cloud.faultAt = (name) => (name === 'r2 create' ? 'lost' : undefined);
	expect((await operator.deploy(['--click-bucket', 'acme-clicks'])).code).toBe(0);
	expect([bound(), operator.cloud.state.buckets.length]).toEqual(['acme-clicks', 1]);
});

test('a bucket that holds retired clicks is given up with a warning, for none or for another', async () => {
	await operator.deploy(['--click-bucket', 'acme-clicks']);
	await retire(3);
	const other = await operator.deploy(['--dry-run', '--click-bucket', 'acme-archive']);
	expect(other.said).toMatch(/Warning: the bucket acme-clicks holds files of retired clicks \(3\).*Copy them to acme-archive/);
	const none = await operator.deploy(['--click-bucket', 'none']);
	expect([none.code, none.said]).toEqual([0, expect.stringMatching(/Warning: .*To keep the bucket: --click-bucket acme-clicks/)]);
	expect([bound(), operator.cloud.state.buckets.length]).toEqual([undefined, 1]);
	expect((await operator.deploy(['--click-bucket', 'acme-clicks'])).said).not.toContain('Warning');
});

test('a bucket without files is given up without a warning', async () => {
	await operator.deploy(['--click-bucket', 'acme-clicks']);
	expect((await operator.deploy(['--click-bucket', 'none'])).said).not.toContain('Warning');
	expect(bound()).toBeUndefined();
});

test.each(['Acme', 'ab', 'acme_clicks'])('the name %s is refused', async (name) => {
	expect(await operator.deploy(['--click-bucket', name])).toEqual({
		code: 1,
		said: expect.stringContaining('--click-bucket must be the name of a bucket'),
	});
});
