import { gunzipSync } from 'node:zlib';
import type { openBucket } from '../../testing/bucket.ts';
import { isPseudonym } from './erased.ts';
import type { ClickRow } from './rows-of-clicks.ts';
import type { Rows } from './rows.ts';

export type SimulatedBucket = ReturnType<typeof openBucket>;

/** A line of a file. */
export interface FiledClick {
	readonly id: number;
	readonly clickId: string;
	readonly programId: number;
	readonly referralLinkId: number;
	readonly isTest: boolean;
	readonly isBot: boolean;
	readonly clickedAt: number;
	readonly clickDay: string;
	readonly country: string | null;
	readonly source: string | null;
	readonly subId: string | null;
	readonly referrerUrl: string | null;
}

export interface ClickFile {
	readonly programId: number;
	readonly day: string;
	readonly number: number;
	readonly clicks: readonly FiledClick[];
}

export interface RetiredClick {
	/** The row as it was last seen in the table. */
	readonly row: ClickRow;
	/** A customer who had the click at that instant. */
	readonly customerId: number | undefined;
	/** Deleted, because the service had no bucket at that instant. */
	readonly isDeleted: boolean;
}

/**
 * Every click that was ever stored, and its place now. Retired clicks still count, so the oracle never forgets one. Imports nothing from
 * src/.
 */
export class StoredClicks {
	/** Undefined if the service never has one and deletes old clicks. */
	readonly bucket: SimulatedBucket | undefined;
	/** Whether the service has the bucket now. An operator may bind and remove it. */
	isBound: boolean;
	/** Whether the service has had the bucket all the time. */
	isNeverUnbound: boolean;
	#inTable = new Map<number, ClickRow>();
	readonly #firstSeen = new Map<number, number>();
	readonly #retired = new Map<number, RetiredClick>();
	readonly #parsed = new Map<string, { readonly etag: string; readonly file: ClickFile }>();

	readonly #count: (what: string) => void;

	constructor(bucket: SimulatedBucket | undefined, count: (what: string) => void) {
		this.bucket = bucket;
		this.isBound = bucket !== undefined;
		this.isNeverUnbound = this.isBound;
		this.#count = count;
	}

	/** Call it after each commit that may have changed clicks, so that it sees a click that is stored and retired in one step. */
	note({ clicks, customers }: Pick<Rows, 'clicks' | 'customers'>, now: number): void {
		for (const { id } of clicks) if (!this.#firstSeen.has(id)) this.#firstSeen.set(id, now);
		const inTable = new Map(clicks.map((row) => [row.id, row]));
		for (const [id, row] of this.#inTable) {
			if (inTable.has(id)) continue;
			const customerId = customers.find(({ click_id }) => click_id === row.click_id)?.id;
			this.#retired.set(id, { row, customerId, isDeleted: !this.isBound });
			this.#count(this.isBound ? 'click retired into a file' : 'click deleted');
		}
		this.#inTable = inTable;
	}

	/** An operator deploys the service with or without the bucket. */
	bind(isBound: boolean): void {
		if (!this.bucket) return;
		this.isBound = isBound;
		this.isNeverUnbound &&= isBound;
		this.#count(isBound ? 'bucket bound' : 'bucket removed');
	}

	isInTable({ id }: Pick<ClickRow, 'id'>): boolean {
		return this.#inTable.has(id);
	}

	isDeleted({ id }: Pick<ClickRow, 'id'>): boolean {
		return this.#retired.get(id)?.isDeleted ?? false;
	}

	firstSeen({ id }: Pick<ClickRow, 'id'>): number {
		return this.#firstSeen.get(id) ?? 0;
	}

	inTable(): readonly ClickRow[] {
		return [...this.#inTable.values()];
	}

	retired(): readonly RetiredClick[] {
		return [...this.#retired.values()];
	}

	files(): readonly ClickFile[] {
		return (this.bucket?.objects() ?? []).map(({ key, etag, body }) => {
			const known = this.#parsed.get(key);
			if (known?.etag === etag) return known.file;
			const file = parseClickFile(key, body);
			this.#parsed.set(key, { etag, file });
			return file;
		});
	}

	/** The table's clicks and the retired ones, as if none had been retired. */
	withRetired(inTable: ClickRow[]): ClickRow[] {
		if (this.#retired.size === 0) return inTable;
		const filed = new Map(this.files().flatMap(({ clicks }) => clicks.map(({ id, clickId }) => [id, clickId] as const)));
		const retired = this.retired().map(({ row }) => {
			const clickId = filed.get(row.id) ?? row.click_id;
			return isPseudonym(clickId) ? { ...row, click_id: clickId } : row;
		});
		return [...inTable, ...retired].toSorted((a, b) => a.id - b.id);
	}
}

export function parseClickFile(key: string, body: ArrayBuffer): ClickFile {
	const [, programId, day = '', number] = /^clicks\/(\d+)\/([\d-]+)\/(\d+)\.ndjson\.gz$/.exec(key) ?? [];
	const lines = gunzipSync(body).toString().trimEnd().split('\n');
	return { programId: Number(programId), day, number: Number(number), clicks: lines.map((line): FiledClick => JSON.parse(line)) };
}
