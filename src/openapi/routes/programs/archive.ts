import { ArchiveQuery } from '../../../http/management/programs/archive.ts';
import { NO_BUCKET } from '../../../domain/people/click-files.ts';
import { conflict } from '../../errors.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const archive = underProgram('Programs', '/archive', [
	{
		method: 'get',
		atLeast: 'owner',
		id: 'archiveProgram',
		summary: 'Download all data of a program',
		description:
			'NDJSON: one JSON object per line. `record` names its kind; the other fields are the columns as stored. Records come in this order: `program`, `partner`, `payout_details` (masked), `membership`, `link`, `application`, `click`, `customer`, `lead`, `sale`, `refund`, `commission`, `ledger_entry`, `payout`, `refusal` and `notification`. Keys, hashes, sealed payout details and webhook secrets are not included, nor are the bodies of Stripe\'s events and dead letters, which a person\'s export contains. The last line, `{"record": "end", "next_cursor": ...}`, says where the next part begins; null means that this was the last part. A part has up to 240,000 rows. If the last line is missing, the download was cut off: request the part again. Clicks in files follow those in the table. A click that is retired during the download may appear twice: recognize it by `click_id`. Rows added during the download may be missing. The download is recorded in the audit log.',
		query: fieldsOf(ArchiveQuery, {
			cursor: 'The `next_cursor` of the previous part.',
			limit: 'The maximum number of rows in this part of the export, 1 to 5,000. If omitted, up to 240,000 rows are returned.',
		}),
		answers: {
			200: {
				description: 'The archive or a part of it.',
				media: 'application/x-ndjson',
				headers: { 'Content-Disposition': 'The file name.' },
			},
		},
		errors: [conflict(NO_BUCKET, 'The bucket of the retired clicks is no longer bound.')],
		examples: [{ name: 'part', summary: 'A part', query: { limit: '2' } }],
	},
]);
