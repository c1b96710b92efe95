import { today } from '@internationalized/date';
import { lazy, Suspense } from 'react';
import { Button, Dialog, DialogTrigger, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { LateProps } from './late.tsx';
import { Skeleton } from './loaded.tsx';
import { daysOf, isPreset, PRESETS, type RangePickerProps } from './range.ts';

/** The calendar is large and rarely used. */
const RangeCalendar = lazy(async () => ({ default: (await import('./range-calendar.tsx')).RangeCalendar }));

export function PeriodMenu({ button, isOpenAtFirst, range, onChange }: LateProps & RangePickerProps) {
	return (
		<MenuTrigger defaultOpen={isOpenAtFirst}>
			<Button {...button} />
			<Popover>
				<Menu
					aria-label="Period"
					selectionMode="single"
					selectedKeys={range.from === undefined ? [range.period] : []}
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
	);
}

export function DaysDialog({ button, isOpenAtFirst, range, zone, onChange }: LateProps & RangePickerProps) {
	return (
		<DialogTrigger defaultOpen={isOpenAtFirst}>
			<Button {...button} />
			<Popover>
				<Dialog aria-label="Days">
					{({ close }) => (
						<Suspense fallback={<Skeleton lines={6} />}>
							<RangeCalendar
								days={daysOf(range, zone)}
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
	);
}
