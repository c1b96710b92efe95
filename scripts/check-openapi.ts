import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import spectralCore from '@stoplight/spectral-core';
import { ruleset } from './openapi/spectral.ts';
import { runScript } from '../testing/failure.ts';
import { committedDocument, currentDocument, DOCUMENT } from './openapi/current.ts';
import { ROOT } from '../testing/root.ts';

// npm run check:openapi: the committed document is the one that the code makes, and both linters are content with it.

await runScript(async () => {
	const complaints = [...(await staleness()), ...(await spectral()), ...redocly()];
	for (const complaint of complaints) console.error(complaint);
	if (complaints.length === 0) console.log('openapi.json is up to date, and redocly and spectral have nothing to say.');
	return complaints.length === 0 ? 0 : 1;
});

async function staleness(): Promise<string[]> {
	return (await currentDocument()) === committedDocument() ? [] : ['public/api/openapi.json is not what the code makes: npm run openapi'];
}

async function spectral(): Promise<string[]> {
	const linter = new spectralCore.Spectral();
	linter.setRuleset(ruleset);
	const document: Record<string, unknown> = JSON.parse(committedDocument());
	const results = await linter.run(document);
	return results.map(({ code, path, message }) => `spectral ${code} at ${path.join('/')}: ${message}`);
}

function redocly(): string[] {
	const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', DOCUMENT], {
		cwd: ROOT,
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
	return status === 0 ? [] : [`redocly:\n${stdout}${stderr}`];
}
