import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DemoWorld } from '../demo/world.ts';
import { Failure } from '../../testing/failure.ts';
import { exitOf } from '../../testing/wrangler.ts';

/** Placeholders that the reader fills in. */
const SERVICE = 'https://affiliate-tracker.<your-subdomain>.workers.dev';
const SECRET = '<your PROXY_SECRET>';

export function hasNginx(): boolean {
	return spawnSync('nginx', ['-v']).status === 0;
}

/** Runs nginx with a guide's rule in front of the service. Requests that pages need must pass, and nothing else. */
export async function tryProxy(rule: string, { folder, port, world }: { folder: string; port: number; world: DemoWorld }): Promise<void> {
	const config = join(folder, 'nginx.conf');
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`);
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		config,
		`daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr; events {}
http { access_log off; ${temporary.join(' ')} server { listen 127.0.0.1:${port}; location / { return 404; }
${rule.replace(SERVICE, world.url).replace(SECRET, 'a secret of twenty letters')}
} }\n`,
	);
	const child = spawn('nginx', ['-c', config, '-p', folder, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
	const ended = exitOf(child);
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
	try {
		await ask(`http://127.0.0.1:${port}`, () => errors);
	} finally {
		child.kill('SIGTERM');
		await ended;
	}
}

async function ask(proxy: string, errors: () => string): Promise<void> {
	const script = await opened(`${proxy}/aff/tracker.js`, errors);
	expect(script.includes('tracker_click_id'), `/aff/tracker.js is ${script.slice(0, 100)}`);
	const clicked = await fetch(`${proxy}/aff/api/v1/track/click`, {
		method: 'POST',
		body: JSON.stringify({ affiliate_url: 'https://shop.example/?aff=demo', user_agent: 'Mozilla/5.0 Firefox/140.0' }),
	});
	expect(clicked.status === 200, `the response to the click was ${clicked.status} ${await clicked.text()}`);
	const followed = await fetch(`${proxy}/aff/r/demo`, { redirect: 'manual', headers: { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } });
	expect(followed.status === 302, `the response to the short link was ${followed.status}`);
	for (const path of ['/aff/api/v1/track/sale', '/aff/api/v1/me', '/aff/r/demo/x'])
		expect((await fetch(`${proxy}${path}`)).status === 404, `${path} passes`);
}

/** Fetches a text, retrying until the server is up. */
async function opened(url: string, errors: () => string): Promise<string> {
	for (let attempt = 0; attempt < 50; attempt += 1) {
		const answer = await fetch(url).catch(() => undefined);
		if (answer) return answer.text();
		await setTimeout(100);
	}
	throw new Failure(`nginx does not respond:\n${errors()}`);
}

function expect(isTrue: boolean, complaint: string): void {
	if (!isTrue) throw new Failure(complaint);
}
