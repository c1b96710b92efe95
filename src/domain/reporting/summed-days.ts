import { addDays, dayOf, startOfDay } from '../calendar.ts';
import type { DayOrInstant } from '../moment.ts';

/** By the day on which commissions were created. */
export interface SummedRange {
	/** Both ends included; none if `first` is after `last`. */
	readonly first: string;
	readonly last: string;
	/** Both instants included. */
	readonly parts: readonly { readonly day: string; readonly from: number; readonly to: number }[];
}

const [FIRST_DAY, LAST_DAY] = ['', '9999-12-30'];

/** Both ends are included. A day ends when the next one begins in the program's time zone. */
export function summedRangeOf(
	{ from, to }: { readonly from?: DayOrInstant | undefined; readonly to?: DayOrInstant | undefined },
	timeZone: string,
): SummedRange {
	const startOf = (day: string) => startOfDay(day, timeZone);
	const endOf = (day: string) => startOfDay(addDays(day, 1), timeZone) - 1;
	const [fromDay, toDay] = [from && dayIn(from, timeZone), to && dayIn(to, timeZone)];
	const isFromPart = from?.kind === 'instant' && fromDay !== undefined && from.at > startOf(fromDay);
	const isToPart = to?.kind === 'instant' && toDay !== undefined && to.at < endOf(toDay);
	const first = fromDay === undefined ? FIRST_DAY : isFromPart ? addDays(fromDay, 1) : fromDay;
	const last = toDay === undefined ? LAST_DAY : isToPart ? addDays(toDay, -1) : toDay;
	const fromAt = from?.kind === 'instant' ? from.at : Number.MIN_SAFE_INTEGER;
	const toAt = to?.kind === 'instant' ? to.at : Number.MAX_SAFE_INTEGER;
	const partDays = new Set([...(isFromPart ? [fromDay] : []), ...(isToPart ? [toDay] : [])]);
	const parts = [...partDays]
		.filter((day) => (fromDay ?? FIRST_DAY) <= day && day <= (toDay ?? LAST_DAY))
		.map((day) => ({ day, from: fromAt, to: toAt }));
	return { first, last, parts };
}

function dayIn(moment: DayOrInstant, timeZone: string): string {
	return moment.kind === 'day' ? moment.day : dayOf(moment.at, timeZone);
}
