import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askAt } from '../../scripts/deploy/surroundings.ts';
import { startCloud } from '../../testing/cloudflare/cloud.ts';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';
import { exitOf } from '../../testing/wrangler.ts';

test.each([
	['Ctrl-C', '\u0003'],
	['Ctrl-D', '\u0004'],
])('%s at a question ends it with a message', async (_, key) => {
	const terminal = { stdin: new PassThrough(), stdout: Object.assign(new PassThrough(), { isTTY: true }) };
	const answer = askAt(terminal, 'Name? ');
	terminal.stdin.write(key);
	await expect(answer).rejects.toEqual(new Failure('Stopped. Nothing was changed.', 130));
});

test('an answer is what was typed', async () => {
	const terminal = { stdin: new PassThrough(), stdout: new PassThrough() };
	const answer = askAt(terminal, 'Name? ');
	terminal.stdin.write('my-shop\n');
	expect([await answer, String(terminal.stdout.read())]).toEqual(['my-shop', 'Name? ']);
});

test('Ctrl-C during the upload ends wrangler too, and leaves no secret behind', async () => {
	const cloud = await startCloud();
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-leaving-'));
	try {
		const env = { ...process.env, CLOUDFLARE_API_BASE_URL: cloud.url, CLOUDFLARE_API_TOKEN: cloud.token, TMPDIR: folder, CI: '' };
		const args = ['scripts/deploy.ts', '--yes', '--built', '--config', join(folder, 'left.deploy.toml')];
		const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
		let [said, held] = ['', 0];
		for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
		const secrets = () => readdirSync(folder).filter((name) => name.startsWith('affiliate-deploy-'));
		cloud.faultAt = (name) => {
			if (name !== 'script upload') return undefined;
			held = secrets().length;
			child.kill('SIGINT');
			return 'lost';
		};
		expect([await exitOf(child), said]).toEqual([
			130,
			expect.stringContaining('Stopped. Finished steps are kept. Run npm run deploy again'),
		]);
		expect([held, secrets()]).toEqual([1, []]);
	} finally {
		await cloud.stop();
		rmSync(folder, { recursive: true, force: true });
	}
});
