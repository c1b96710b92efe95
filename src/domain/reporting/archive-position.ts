/** The parts of an archive, in order. */
export const ARCHIVE_RECORDS = [
	'program',
	'partner',
	'payout_details',
	'membership',
	'link',
	'coupon',
	'application',
	'click',
	'customer',
	'lead',
	'sale',
	'refund',
	'commission',
	'ledger_entry',
	'payout',
	'refusal',
	'notification',
] as const;
export type ArchiveRecord = (typeof ARCHIVE_RECORDS)[number];

export interface ArchivePosition {
	readonly record: ArchiveRecord;
	/** Null if this kind of row is sorted by id alone. Only clicks in files have a day as their key. */
	readonly key: number | string | null;
	/** 0 means before the first row. */
	readonly id: number;
}

export function formatArchivePosition({ record, key, id }: ArchivePosition): string {
	return `${record}.${key ?? ''}.${id}`;
}

export function parseArchivePosition(text: string): ArchivePosition | undefined {
	const match = /^([a-z_]+)\.(\d{1,15}|\d{4}-\d\d-\d\d|)\.(\d{1,15})$/.exec(text);
	const record = ARCHIVE_RECORDS.find((known) => known === match?.[1]);
	if (!match || !record) return undefined;
	const [, , key = '', id] = match;
	return { record, key: key === '' ? null : key.includes('-') ? key : Number(key), id: Number(id) };
}
