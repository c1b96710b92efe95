import { parseArgs } from 'node:util';
import { Failure, runScript } from '../testing/failure.ts';
import { makeRestorable } from './restorable/make-restorable.ts';

// npm run restorable -- backup.sql restorable.sql: rewrites the output of `wrangler d1 export` so that an empty D1 accepts it.

const USAGE = 'npm run restorable -- <file of wrangler d1 export> <file to write>';

await runScript(async () => {
	const { positionals } = parseArgs({ allowPositionals: true });
	const [exported, restorable] = positionals;
	if (exported === undefined || restorable === undefined || positionals.length > 2 || exported === restorable) throw new Failure(USAGE);
	const { rows, cutRows, jsonTexts } = await makeRestorable(exported, restorable);
	const count = [...rows.values()].reduce((sum, of) => sum + of, 0);
	console.log(`${restorable}: ${rows.size} tables, ${count} rows.`);
	console.log(`Rows split because they were too long for one statement: ${cutRows}. JSON texts with corrected line breaks: ${jsonTexts}.`);
	return 0;
});
