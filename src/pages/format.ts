import { exponentOf, toMajorUnits } from '../domain/money.ts';

// Formats values with Intl, in the currency's decimals and the program's time zone.

const LOCALE = 'en-US';

/** `cents` is in minor units. */
export function money(cents: number, currency: string): string {
	return moneyFormat(currency).format(toMajorUnits(cents, currency));
}

/** In major units, as in reports. */
export function amount(major: number, currency: string): string {
	return moneyFormat(currency).format(major);
}

/** Without cents, for axes. */
export function roughAmount(major: number, currency: string): string {
	return new Intl.NumberFormat(LOCALE, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 }).format(major);
}

/** More characters do not fit into a tile. */
const LONGEST_FIGURE = 12;

/** For tiles: "$1.25M" from a million on, or if the amount is too long. The exact amount must be shown on request. */
export function shortAmount(major: number, currency: string): string {
	const exact = amount(major, currency);
	if (Math.abs(major) < 1_000_000 && exact.length <= LONGEST_FIGURE) return exact;
	return new Intl.NumberFormat(LOCALE, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 2 }).format(major);
}

/** For tiles: "1.25M" from a million on. */
export function shortCount(number: number): string {
	return Math.abs(number) < 1_000_000 ? count(number) : shortCountFormat.format(number);
}

/** In minor units; undefined if the text is not an amount. Shifts decimals as text, because 0.29 * 100 is not 29. */
export function centsOf(text: string, currency: string): number | undefined {
	const written = text.trim();
	return new RegExp(`^(${amountPattern(currency)})$`).test(written)
		? Number(`${written.replace(',', '.')}e${exponentOf(currency)}`)
		: undefined;
}

/** With a point or comma, and no thousands separators. */
export function amountPattern(currency: string): string {
	const digits = exponentOf(currency);
	return digits > 0 ? `\\d{1,9}([.,]\\d{1,${digits}})?` : '\\d{1,11}';
}

export function count(number: number): string {
	return countFormat.format(number);
}

/** Rounded, for axes. */
export function roughCount(number: number): string {
	return roughFormat.format(number);
}

/** A fraction: 0.1234 is 12.3%. */
export function share(part: number): string {
	return shareFormat.format(part);
}

/** A calendar day, "2026-11-22", reads the same in every time zone. */
export function day(date: string): string {
	return dayFormat.format(new Date(`${date.slice(0, 10)}T00:00:00Z`));
}

export function dayOfYear(date: string): string {
	return longDayFormat.format(new Date(`${date.slice(0, 10)}T00:00:00Z`));
}

/** "Oct 24 – Nov 22, 2026". */
export function daysText({ from, to }: { readonly from: { toString: () => string }; readonly to: { toString: () => string } }): string {
	const [first, last] = [from, to].map((date) => new Date(`${date.toString()}T00:00:00Z`));
	return first && last ? longDayFormat.formatRange(first, last) : '';
}

export function moment(iso: string, timeZone?: string): string {
	return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));
}

/** "November", of "2026-11". */
export function monthOf(yearAndMonth: string): string {
	return monthFormat.format(new Date(`${yearAndMonth}-01T00:00:00Z`));
}

/** Shared parts of the two instants appear once. */
export function momentsText(from: string, to: string): string {
	return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' }).formatRange(new Date(from), new Date(to));
}

/** The day of an instant in the time zone. */
export function dayOf(iso: string, timeZone?: string): string {
	return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone }).format(new Date(iso));
}

/** "3 hours ago". */
export function ago(iso: string, now = Date.now()): string {
	const seconds = (Date.parse(iso) - now) / 1000;
	const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
	return agoFormat.format(Math.round(seconds / size), unit);
}

/** "DE" is Germany. */
export function country(code: string): string {
	return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code;
}

/** "31.4 MB". */
export function fileSize(bytes: number): string {
	const [unit, size] = FILE_UNITS.find(([, length]) => bytes >= length) ?? [];
	if (unit === undefined) return plural(bytes, 'byte');
	return new Intl.NumberFormat(LOCALE, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / size);
}

/** "1 sale", "2 sales". */
export function plural(number: number, noun: string, nouns = `${noun}s`): string {
	return `${count(number)} ${number === 1 ? noun : nouns}`;
}

const countFormat = new Intl.NumberFormat(LOCALE);
const roughFormat = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const shortCountFormat = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 2 });
const shareFormat = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const dayFormat = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const longDayFormat = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat(LOCALE, { month: 'long', timeZone: 'UTC' });
const agoFormat = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const countryNames = new Intl.DisplayNames(LOCALE, { type: 'region' });
const UNITS = [
	['year', 31_536_000],
	['month', 2_592_000],
	['day', 86_400],
	['hour', 3_600],
	['minute', 60],
] as const;
const FILE_UNITS = [
	['gigabyte', 1e9],
	['megabyte', 1e6],
	['kilobyte', 1e3],
] as const;
const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string): Intl.NumberFormat {
	const digits = exponentOf(currency);
	const format =
		moneyFormats.get(currency) ??
		new Intl.NumberFormat(LOCALE, { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits });
	moneyFormats.set(currency, format);
	return format;
}
