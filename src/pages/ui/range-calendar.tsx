import type { CalendarDate } from '@internationalized/date';
import { Button, CalendarCell, CalendarGrid, Heading, RangeCalendar as Calendar } from 'react-aria-components';
import type { Days } from './range.ts';

interface RangeCalendarProps {
	readonly days: Days | undefined;
	readonly last: CalendarDate;
	readonly onChange: (days: Days) => void;
}

export function RangeCalendar({ days, last, onChange }: RangeCalendarProps) {
	return (
		<Calendar
			aria-label="First and last day"
			autoFocus
			defaultValue={days ? { start: days.from, end: days.to } : null}
			defaultFocusedValue={days?.to ?? last}
			maxValue={last}
			onChange={({ start, end }) => onChange({ from: start, to: end })}
		>
			<header>
				<Button slot="previous" className="react-aria-Button plain">
					‹
				</Button>
				<Heading />
				<Button slot="next" className="react-aria-Button plain">
					›
				</Button>
			</header>
			<CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid>
		</Calendar>
	);
}
