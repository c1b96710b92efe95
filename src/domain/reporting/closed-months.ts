import { addDays, addMonths } from '../calendar.ts';
import type { DayRange } from './report-range.ts';

/** So many days after its end, a month is summed up in rows of its own: most of what comes late has come by then. */
const DAYS_UNTIL_CLOSED = 3;
/** Before all months and after all. */
const [FIRST_MONTH, LAST_MONTH] = ['', '9999-12'];

export function monthOf(day: string): string {
	return day.slice(0, 7);
}

/** The first and the last day of a month. */
export function daysOfMonth(month: string): DayRange {
	const first = `${month}-01`;
	return { first, last: addDays(addMonths(first, 1), -1) };
}

/** The months that a range holds whole: none if the first is after the last. An open range begins with the empty text. */
export function wholeMonthsOf({ first, last }: DayRange): { readonly first: string; readonly last: string } {
	return {
		first: first === '' ? FIRST_MONTH : first.endsWith('-01') ? monthOf(first) : monthOf(addMonths(`${monthOf(first)}-01`, 1)),
		last:
			last >= `${LAST_MONTH}-31`
				? LAST_MONTH
				: addDays(last, 1).endsWith('-01')
					? monthOf(last)
					: monthOf(addDays(`${monthOf(last)}-01`, -1)),
	};
}

/** The months that are over for long enough, the latest first, back to that of the first day. */
export function monthsToClose(firstDay: string, today: string): string[] {
	const months: string[] = [];
	for (let month = lastClosed(today); month >= monthOf(firstDay); month = before(month)) months.push(month);
	return months;
}

function lastClosed(today: string): string {
	return before(monthOf(addDays(today, -DAYS_UNTIL_CLOSED)));
}

function before(month: string): string {
	return monthOf(addDays(`${month}-01`, -1));
}

/** Whether the month of the day may be summed up: not if it has not ended, whatever the time zone. */
export function mayBeClosed(day: string, todayInUtc: string): boolean {
	return monthOf(day) < monthOf(todayInUtc);
}
