import { appendFileSync, readFileSync } from 'node:fs';
import { migrate } from '../testing/migrations.ts';
import { startMiniflare } from '../testing/miniflare.ts';
import { RETIRE_CRON } from './retirement.ts';
import type { Ask, Launch, Reply } from './server-process.ts';

// The server process that gets killed: Miniflare and its child workerd, with a folder on disk.

const [, , launchPath = 'launch.json'] = process.argv;
const launch = JSON.parse(readFileSync(launchPath, 'utf8')) as Launch;
const miniflare = startMiniflare({
	...launch.worker,
	name: 'affiliate-tracker',
	resourcePersistencePath: launch.dataFolder,
	handleStructuredLogs: ({ level, message }) => appendFileSync(launch.logPath, `${level} ${message}\n`),
});

// Fires on `stop`, and if the test itself has died.
process.on('disconnect', () => void miniflare.dispose());
const url = await miniflare.ready;
if (launch.isNew) await migrate(await miniflare.getD1Database('DB'));
process.on('message', (ask: Ask) => {
	void answer(ask)
		.then(
			(value) => reply({ id: ask.id, value }),
			(error: unknown) => reply({ id: ask.id, value: 0, error: String(error) }),
		)
		.then(() => (ask.what === 'stop' ? process.disconnect() : undefined));
});
reply({ ready: url.href });

async function answer(ask: Ask): Promise<number> {
	switch (ask.what) {
		case 'tick':
		case 'retire': {
			const worker = await miniflare.getWorker();
			await worker.scheduled({ cron: ask.what === 'tick' ? '* * * * *' : RETIRE_CRON, scheduledTime: new Date(ask.at) });
			return 0;
		}
		case 'waiting rows': {
			const db = await miniflare.getD1Database('DB');
			const waiting = `SELECT (SELECT count(*) FROM outbox)
				+ (SELECT count(*) FROM processor_events WHERE settled_at IS NULL) AS n`;
			return (await db.prepare(waiting).first<number>('n')) ?? 0;
		}
		case 'stored clicks': {
			const db = await miniflare.getD1Database('DB');
			return (await db.prepare('SELECT count(*) AS n FROM affiliate_click_events').first<number>('n')) ?? 0;
		}
		case 'stop':
			// The process exits after sending this answer.
			return 0;
	}
}

function reply(message: Reply): void {
	if (process.connected) process.send?.(message);
}
