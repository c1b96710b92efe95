import { env } from 'cloudflare:workers';
import { listClickFiles, readClickFile, type RetiredClick } from '../../src/clicks/click-files.ts';
import { retireClicks } from '../../src/clicks/retire-clicks.ts';
import type { Bucket, Context } from '../../src/context.ts';
import { DAY_MS, dayOf, startOfDay } from '../../src/domain/calendar.ts';
import type { ClickJob } from '../../src/job.ts';
import { contextAt } from './clock.ts';
import { aFunnel, type Funnel, rows } from './funnel.ts';
import { aClickJob, deliverClicks } from './report.ts';

// Programs keep clicks for 67 days, a week longer than their window. All of them may retire one day of clicks.

const RETENTION_DAYS = 67;

/** UTC, and its noon. */
export const OLD_DAY = dayOf(Date.now() - 100 * DAY_MS, 'UTC');
export const OLD_NOON = startOfDay(OLD_DAY, 'UTC') + DAY_MS / 2;

/** Overrides are fields of POST /api/v1/programs. */
export async function aKeeper(overrides: Record<string, unknown> = {}): Promise<Funnel & { readonly path: string }> {
	const funnel = await aFunnel({ time_zone: 'UTC', cookie_window_days: 60, ...overrides });
	await retireSoon(funnel);
	return { ...funnel, path: `/api/v1/programs/${funnel.id}` };
}

/** The next tick looks at the program again. */
export async function retireSoon({ id }: Pick<Funnel, 'id'>): Promise<void> {
	await rows('UPDATE programs SET click_retention_days = ?, retire_clicks_at = ? WHERE id = ?', RETENTION_DAYS, OLD_NOON, id);
}

/** A ms apart. */
export async function oldClicks(funnel: Funnel, count: number, fields: Partial<ClickJob> = {}): Promise<ClickJob[]> {
	const jobs = await Promise.all(Array.from({ length: count }, (_, index) => aClickJob(funnel, OLD_NOON + index, fields)));
	await deliverClicks(jobs);
	return jobs;
}

/** Retires what is due, of all programs. */
export async function retire(changed: Partial<Context> = {}, clicksPerFile = 10_000): Promise<number> {
	return retireClicks({ ...contextAt(Date.now()), ...changed }, { programs: 100, slices: 100, clicksPerFile });
}

export async function retireOf(funnel: Funnel, changed: Partial<Context> = {}): Promise<number> {
	await retireSoon(funnel);
	return retire(changed);
}

/** The clicks in all files of the old day. */
export async function filedClicks({ id }: Pick<Funnel, 'id'>): Promise<RetiredClick[]> {
	const files = await listClickFiles(env.CLICK_FILES, { programId: id, day: OLD_DAY });
	return (await Promise.all(files.map(({ key }) => readClickFile(env.CLICK_FILES, key)))).flatMap((clicks) => clicks ?? []);
}

export async function storedIds({ id }: Pick<Funnel, 'id'>): Promise<string[]> {
	const stored = await rows<{ click_id: string }>('SELECT click_id FROM affiliate_click_events WHERE program_id = ? ORDER BY id', id);
	return stored.map((row) => row.click_id);
}

export async function countedClicks({ id }: Pick<Funnel, 'id'>): Promise<number> {
	const [row] = await rows<{ clicks: number }>('SELECT sum(clicks) AS clicks FROM daily_performance WHERE program_id = ?', id);
	return row?.clicks ?? 0;
}

/** The bucket of the tests, with other methods. */
export function bucketWith(changed: Partial<Bucket>): R2Bucket {
	return new Proxy(env.CLICK_FILES, {
		get(bucket, name): unknown {
			const method: unknown = Reflect.get(changed, name) ?? Reflect.get(bucket, name);
			return typeof method === 'function' ? (...args: readonly unknown[]): unknown => Reflect.apply(method, bucket, args) : method;
		},
	});
}

/** Up to which click of a customer the program's old clicks were passed over, in ms. */
export async function passedUntil({ id }: Funnel): Promise<number | undefined> {
	const [program] = await rows<{ old_clicks_from: number }>('SELECT old_clicks_from FROM programs WHERE id = ?', id);
	return program?.old_clicks_from;
}

/** The program's clicks by day, as the daily rows count them. */
export function figuresOf({ id }: Funnel): Promise<Record<string, unknown>[]> {
	return rows('SELECT day, clicks FROM daily_performance WHERE program_id = ? AND clicks > 0', id);
}
