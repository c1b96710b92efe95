// Instants are ms since the epoch, UTC. Days are `YYYY-MM-DD` in a program's time zone.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();
const clockFormats = new Map<string, Intl.DateTimeFormat>();

export function dayOf(instant: number, timeZone: string): string {
	if (timeZone === 'UTC') return utcDayOf(instant);
	return formatOf(timeZone).format(instant);
}

/** The first instant of a day in an IANA time zone. Later than midnight if clocks skip it; a skipped day starts with the next one. */
export function startOfDay(day: string, timeZone: string): number {
	const midnight = Date.parse(`${day}T00:00:00Z`);
	if (timeZone === 'UTC') return midnight;
	// No zone is more than 15 hours from UTC. Nearly all offsets are whole quarters of an hour; the rest need a search to the ms.
	const begins = (instant: number) => dayOf(instant, timeZone) >= day;
	const quarter = firstInstant(midnight - 15 * HOUR_MS, midnight + 15 * HOUR_MS, 15 * MINUTE_MS, begins);
	return begins(quarter - 1) ? firstInstant(quarter - 15 * MINUTE_MS, quarter, 1, begins) : quarter;
}

/** The instant at which clocks show this time. The first one if they show it twice; later by the gap if they skip it. */
export function instantAt(day: string, clockMs: number, timeZone: string): number {
	const shown = Date.parse(`${day}T00:00:00Z`) + clockMs;
	if (timeZone === 'UTC') return shown;
	// The offsets a day before and a day after suffice: no zone changes twice in between.
	const [before, after] = [shown - aheadAt(shown - DAY_MS, timeZone), shown - aheadAt(shown + DAY_MS, timeZone)];
	const [first, last] = [Math.min(before, after), Math.max(before, after)];
	const shows = (instant: number) => instant + aheadAt(instant, timeZone) === shown;
	if (shows(first)) return first;
	return shows(last) ? last : before;
}

function aheadAt(instant: number, timeZone: string): number {
	const parts = clockFormatOf(timeZone).formatToParts(instant);
	const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
	const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
	const shown = Date.parse(`${day}T${part('hour')}:${part('minute')}:${part('second')}Z`);
	return shown - Math.floor(instant / SECOND_MS) * SECOND_MS;
}

/** Finds the first instant that satisfies the condition, in whole steps. `before` does not satisfy it, `after` does. */
function firstInstant(before: number, after: number, step: number, satisfies: (instant: number) => boolean): number {
	let [low, high] = [0, (after - before) / step];
	while (high - low > 1) {
		const between = Math.floor((low + high) / 2);
		if (satisfies(before + between * step)) high = between;
		else low = between;
	}
	return before + high * step;
}

export function addDays(day: string, days: number): string {
	return utcDayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

export function daysThrough(first: string, last: string): string[] {
	const start = Date.parse(`${first}T00:00:00Z`);
	const count = Math.max(0, daysBetween(first, last) + 1);
	return Array.from({ length: count }, (_, index) => utcDayOf(start + index * DAY_MS));
}

export function daysBetween(earlier: string, later: string): number {
	return (Date.parse(`${later}T00:00:00Z`) - Date.parse(`${earlier}T00:00:00Z`)) / DAY_MS;
}

/** YYYY-MM. */
export function monthOf(day: string): string {
	return day.slice(0, 7);
}

/** The same day of the month, or the month's last day. */
export function addMonths(day: string, months: number): string {
	const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
	const first = new Date(Date.UTC(year, month - 1 + months, 1));
	const lastDate = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
	first.setUTCDate(Math.min(date, lastDate));
	return first.toISOString().slice(0, 10);
}

/** Five times as fast as toISOString for four-digit years. A report formats hundreds of days. */
function utcDayOf(instant: number): string {
	const date = new Date(instant);
	const year = date.getUTCFullYear();
	if (year < 1_000 || year > 9_999) return date.toISOString().slice(0, -14);
	const digits = String(10_000 * year + 100 * (date.getUTCMonth() + 1) + date.getUTCDate());
	return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

export function isTimeZone(name: string): boolean {
	try {
		formatOf(name);
		return true;
	} catch {
		return false;
	}
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
	let format = formats.get(timeZone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
		formats.set(timeZone, format);
	}
	return format;
}

function clockFormatOf(timeZone: string): Intl.DateTimeFormat {
	let format = clockFormats.get(timeZone);
	if (!format) {
		const [numeric, digits] = ['numeric', '2-digit'] as const;
		const date = { year: numeric, month: digits, day: digits } as const;
		const time = { hour: digits, minute: digits, second: digits, hourCycle: 'h23' } as const;
		format = new Intl.DateTimeFormat('en-CA', { timeZone, ...date, ...time });
		clockFormats.set(timeZone, format);
	}
	return format;
}
