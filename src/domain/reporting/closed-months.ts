import { addDays, addMonths, monthOf } from '../calendar.ts';
import type { DayRange } from './report-range.ts';

/** By then, most late events have arrived. */
const DAYS_UNTIL_CLOSED = 3;
/** Values that sort before and after all months. */
const [FIRST_MONTH, LAST_MONTH] = ['', '9999-12'];

export function daysOfMonth(month: string): DayRange {
	const first = `${month}-01`;
	return { first, last: addDays(addMonths(first, 1), -1) };
}

/** None if `first` is after `last`. A range without a start begins with the empty string. */
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

/** Latest first, back to the month of `firstDay`. */
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

/** Months close days after their end, so UTC is precise enough. */
export function mayBeClosed(day: string, todayInUtc: string): boolean {
	return monthOf(day) < monthOf(todayInUtc);
}
