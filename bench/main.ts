import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '../scripts/failure.ts';
import { countCost, measureRow, measureSlice } from './measure.ts';
import { readOptions, USAGE } from './options.ts';
import { makeRows, NOOP } from './rows.ts';
import { startService } from './service.ts';
import { makeWorld } from './world.ts';

await runScript(async () => {
	const options = readOptions();
	if (!options) {
		console.log(USAGE);
		return 0;
	}
	const folder = mkdtempSync(join(tmpdir(), 'bench-'));
	try {
		const service = await startService(folder);
		const world = await makeWorld(service);
		const rows = await makeRows(service, world);
		await measureSlice(service, NOOP, 16, 1);
		for (const row of rows) {
			if (options.rows && !options.rows.includes(row.name)) continue;
			for (const connections of options.connections) console.log(await measureRow(service, row, connections, options.rounds, options.scale));
			console.log(await countCost(service, row));
		}
		await service.dispose();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return 0;
});
