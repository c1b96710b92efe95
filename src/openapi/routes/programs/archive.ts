import { ArchiveQuery } from '../../../http/management/programs/archive.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const archive = underProgram('Programs', '/archive', [
	{
		method: 'get',
		atLeast: 'owner',
		id: 'archiveProgram',
		summary: 'Download all data of a program',
		description:
			'One JSON object per line (NDJSON): `record` says what it is, the rest are the columns as they are stored. Records are, in this order, `program`, `partner`, `payout_details` (masked), `membership`, `link`, `application`, `click`, `customer`, `lead`, `sale`, `refund`, `commission`, `ledger_entry`, `payout`, `refusal` and `notification`. No keys, hashes, sealed payout details or webhook secrets; neither bodies of Stripe\'s events nor dead letters, which the export of a person has. The last line, `{"record": "end", "next_cursor": ...}`, tells where the next part begins; null: that was all. A part has up to 240,000 rows. A file without that line broke off: ask for the part again. What arrives while it is read may be in it or not. In the audit log.',
		query: fieldsOf(ArchiveQuery, {
			cursor: 'The `next_cursor` of the part before.',
			limit: 'The most rows of the part, 1 to 5,000. Without it up to 240,000.',
		}),
		answers: {
			200: {
				description: 'The archive, or a part of it.',
				media: 'application/x-ndjson',
				headers: { 'Content-Disposition': 'The name of the file.' },
			},
		},
		examples: [{ name: 'part', summary: 'A part', query: { limit: '2' } }],
	},
]);
