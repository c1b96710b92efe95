import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../testing/root.ts';

test('npm run deploy:rehearse shows each step of a first deployment, without an account and without a trace', () => {
	const file = join(ROOT, 'wrangler.deploy.toml');
	const wasThere = existsSync(file);
	// These credentials would be refused if they were used.
	const env = { ...process.env, CLOUDFLARE_API_TOKEN: 'wrong', CLOUDFLARE_ACCOUNT_ID: 'f'.repeat(32), CI: 'true' };
	// Without `--`, npm takes the options itself.
	const { status, stdout, stderr } = spawnSync('npm', ['run', 'deploy:rehearse', '--yes', '--built', '--name=shop'], {
		cwd: ROOT,
		env,
		encoding: 'utf8',
	});
	expect([status, stderr]).toEqual([0, expect.not.stringMatching(/Error|Failure/)]);
	expect(stdout).toMatch(
		/A rehearsal[^]*Account: Acme[^]*create the database shop[^]*create the queue shop-[^]*apply \d+ migrations[^]*upload the Worker shop[^]*ok {2}the health check passes[^]*The first owner signs up here[^]*That was a rehearsal/,
	);
	expect(existsSync(file)).toBe(wasThere);
});
