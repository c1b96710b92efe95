import { today } from '@internationalized/date';
import { useEffect } from 'react';
import {
	Button,
	CalendarCell,
	CalendarGrid,
	DateInput,
	DateRangePicker,
	DateSegment,
	Dialog,
	Group,
	Heading,
	ListBox,
	ListBoxItem,
	Popover,
	RangeCalendar,
	Select,
	SelectValue,
} from 'react-aria-components';
import { daysOf, isPreset, PRESETS, type Range, shifted } from './range.ts';

interface RangePickerProps {
	readonly range: Range;
	readonly zone: string;
	readonly onChange: (range: Range) => void;
}

const CUSTOM = 'custom';

/** A period, or two days. Letters choose a period and the arrow keys go to the one before and after it, wherever no field has the focus. */
export function RangePicker({ range, zone, onChange }: RangePickerProps) {
	useRangeKeys({ range, zone, onChange });
	const days = daysOf(range, zone);
	const isCustom = range.from !== undefined;
	return (
		<div className="row" role="group" aria-label="Range">
			<Select aria-label="Period" value={isCustom ? CUSTOM : range.period} onChange={(key) => isPreset(key) && onChange({ period: key })}>
				<Button>
					<SelectValue />
					<span aria-hidden="true">▾</span>
				</Button>
				<Popover>
					<ListBox>
						{Object.entries(PRESETS).map(([id, { label, key }]) => (
							<ListBoxItem key={id} id={id} textValue={label} className="react-aria-ListBoxItem with-key">
								<span>{label}</span> <kbd>{key.toUpperCase()}</kbd>
							</ListBoxItem>
						))}
						{isCustom && (
							<ListBoxItem id={CUSTOM} textValue="Chosen days">
								Chosen days
							</ListBoxItem>
						)}
					</ListBox>
				</Popover>
			</Select>
			<DateRangePicker
				aria-label="Days"
				value={days ? { start: days.from, end: days.to } : null}
				maxValue={today(zone)}
				onChange={(value) => value && onChange({ period: range.period, from: value.start.toString(), to: value.end.toString() })}
			>
				<Group>
					<DateInput slot="start">{(segment) => <DateSegment segment={segment} />}</DateInput>
					<span aria-hidden="true">–</span>
					<DateInput slot="end">{(segment) => <DateSegment segment={segment} />}</DateInput>
					<Button aria-label="Calendar">▾</Button>
				</Group>
				<Popover>
					<Dialog>
						<RangeCalendar>
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
						</RangeCalendar>
					</Dialog>
				</Popover>
			</DateRangePicker>
		</div>
	);
}

function useRangeKeys({ range, zone, onChange }: RangePickerProps): void {
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForAnother(event.target)) return;
			const preset = Object.entries(PRESETS).find(([, { key }]) => key === event.key.toLowerCase())?.[0];
			if (isPreset(preset)) onChange({ period: preset });
			if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') onChange(shifted(range, zone, event.key === 'ArrowLeft' ? -1 : 1));
		};
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, [range, zone, onChange]);
}

/** Whether the key is for what has the focus: a field, an open list, a chart or a table that is gone through by keys. */
function isForAnother(target: EventTarget | null): boolean {
	return (
		target instanceof Element &&
		target.closest(
			'input, textarea, select, [contenteditable], [role=listbox], [role=menu], [role=dialog], [role=grid], [role=application], [role=spinbutton], [data-keys]',
		) !== null
	);
}
