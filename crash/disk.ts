import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Launch } from './server-process.ts';

/** The file with the only D1 database. */
export function databasePath({ dataFolder }: Launch): string {
	const found = readdirSync(dataFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
		/d1[\\/].*[0-9a-f]{64}\.sqlite$/i.test(name),
	);
	if (found.length !== 1 || found[0] === undefined) throw new Error(`Expected one D1 database, found: ${found.join(', ')}`);
	return path.join(dataFolder, found[0]);
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const LOST_FRAMES = 48;

/**
 * Clears the last frames of the write-ahead log, like a disk that loses confirmed writes. Frames with other salts than the header belong to
 * an earlier pass through the file.
 */
export function loseTail(launch: Launch): void {
	const wal = `${databasePath(launch)}-wal`;
	const log = readFileSync(wal);
	const salts = log.subarray(16, 24);
	const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
	let end = HEADER_BYTES;
	while (end + frameBytes <= log.length && log.subarray(end + 8, end + 16).equals(salts)) end += frameBytes;
	log.fill(0, Math.max(HEADER_BYTES, end - LOST_FRAMES * frameBytes), end);
	writeFileSync(wal, log);
}
