import { today } from '@internationalized/date';
import { lazy, Suspense, useEffect } from 'react';
import { Button, Dialog, DialogTrigger, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { daysText } from '../format.ts';
import { Skeleton } from './loaded.tsx';
import { daysOf, isPreset, PRESETS, type Range, shifted } from './range.ts';

interface RangePickerProps {
	readonly range: Range;
	readonly zone: string;
	readonly onChange: (range: Range) => void;
}

/** Loaded on demand, because the calendar is large and rarely used. */
const RangeCalendar = lazy(async () => ({ default: (await import('./range-calendar.tsx')).RangeCalendar }));

/** Picks a preset or two days. Letters select a preset and arrow keys move by one period, unless a field has the focus. */
export function RangePicker({ range, zone, onChange }: RangePickerProps) {
	useRangeKeys({ range, zone, onChange });
	const days = daysOf(range, zone);
	const isCustom = range.from !== undefined;
	return (
		<div className="row" role="group" aria-label="Range">
			<MenuTrigger>
				<Button aria-label={`Period: ${isCustom ? 'chosen days' : PRESETS[range.period].label}`}>
					{isCustom ? 'Chosen days' : PRESETS[range.period].label}
					<span aria-hidden="true">▾</span>
				</Button>
				<Popover>
					<Menu
						aria-label="Period"
						selectionMode="single"
						selectedKeys={isCustom ? [] : [range.period]}
						onAction={(key) => isPreset(key) && onChange({ period: key })}
					>
						{Object.entries(PRESETS).map(([id, { label, key }]) => (
							<MenuItem key={id} id={id} textValue={label} className="react-aria-MenuItem with-key">
								<span>{label}</span> <kbd>{key.toUpperCase()}</kbd>
							</MenuItem>
						))}
					</Menu>
				</Popover>
			</MenuTrigger>
			<DialogTrigger>
				<Button>{days ? daysText(days) : 'Choose days'}</Button>
				<Popover>
					<Dialog aria-label="Days">
						{({ close }) => (
							<Suspense fallback={<Skeleton lines={6} />}>
								<RangeCalendar
									days={days}
									last={today(zone)}
									onChange={(selected) => {
										onChange({ period: range.period, from: selected.from.toString(), to: selected.to.toString() });
										close();
									}}
								/>
							</Suspense>
						)}
					</Dialog>
				</Popover>
			</DialogTrigger>
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

/** Whether the focused element handles the key itself. */
function isForAnother(target: EventTarget | null): boolean {
	return (
		target instanceof Element &&
		target.closest(
			'input, textarea, select, [contenteditable], [role=listbox], [role=menu], [role=dialog], [role=grid], [role=application], [role=spinbutton], [role=region][tabindex]',
		) !== null
	);
}
