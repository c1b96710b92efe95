const formats = new Map<string, Intl.DateTimeFormat>();

/** `3 May 2026, 10:12` in an IANA time zone. */
export function timeText(instant: number, timeZone: string): string {
	const part = partsIn(instant, timeZone);
	return `${part('day')} ${part('month')} ${part('year')}, ${part('hour')}:${part('minute')}`;
}

/** `3 May 2026, 10:12 UTC`. */
export function utcText(instant: number): string {
	return `${timeText(instant, 'UTC')} UTC`;
}

/** `3 May 2026`. */
export function dayText(day: string): string {
	const part = partsIn(Date.parse(`${day}T00:00:00Z`), 'UTC');
	return `${part('day')} ${part('month')} ${part('year')}`;
}

/** `1 day`, `12 days`. */
export function countText(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function partsIn(instant: number, timeZone: string): (type: Intl.DateTimeFormatPartTypes) => string {
	let format = formats.get(timeZone);
	if (!format) {
		const [numeric, digits] = ['numeric', '2-digit'] as const;
		const time = { hour: digits, minute: digits, hourCycle: 'h23' } as const;
		format = new Intl.DateTimeFormat('en-GB', { timeZone, day: numeric, month: 'long', year: numeric, ...time });
		formats.set(timeZone, format);
	}
	const parts = format.formatToParts(instant);
	return (type) => parts.find((part) => part.type === type)?.value ?? '';
}
