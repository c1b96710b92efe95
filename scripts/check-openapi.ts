import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runScript } from '../testing/failure.ts';
import { committedDocument, DOCUMENT } from './openapi/committed.ts';
import { currentDocument } from './openapi/current.ts';
import { ROOT } from '../testing/root.ts';

// npm run check:openapi: checks that the committed document matches the code and passes Redocly (redocly.yaml).

await runScript(async () => {
	const complaints = [...(await staleness()), ...redocly()];
	for (const complaint of complaints) console.error(complaint);
	if (complaints.length === 0) console.log('openapi.json is up to date and passes Redocly.');
	return complaints.length === 0 ? 0 : 1;
});

async function staleness(): Promise<string[]> {
	return (await currentDocument()) === committedDocument() ? [] : ['public/api/openapi.json does not match the code. Run npm run openapi.'];
}

function redocly(): string[] {
	const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', DOCUMENT], {
		cwd: ROOT,
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
	return status === 0 ? [] : [`redocly:\n${stdout}${stderr}`];
}
