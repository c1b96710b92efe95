import { Calendar, ChevronDown } from 'lucide-react';
import { useEffect } from 'react';
import { daysText } from '../format.ts';
import { Late } from './late.tsx';
import { daysOf, isPreset, PRESETS, type RangePickerProps, shifted } from './range.ts';

const loadPeriods = async () => (await import('./range-menus.tsx')).PeriodMenu;
const loadDays = async () => (await import('./range-menus.tsx')).DaysDialog;

/** Letters select a preset and arrow keys move by one period, unless a field has the focus. */
export function RangePicker(props: RangePickerProps) {
	useRangeKeys(props);
	const { range, zone } = props;
	const days = daysOf(range, zone);
	const period = range.from === undefined ? PRESETS[range.period].label : 'Custom days';
	const periodContent = (
		<>
			{period}
			<ChevronDown size={14} />
		</>
	);
	const daysContent = (
		<>
			<Calendar size={14} />
			{days ? daysText(days) : 'Choose days'}
		</>
	);
	return (
		<div className="row" role="group" aria-label="Range">
			<Late
				button={{ 'aria-label': `Period: ${range.from === undefined ? period : 'custom days'}`, children: periodContent }}
				load={loadPeriods}
				props={props}
			/>
			<Late button={{ 'aria-haspopup': 'dialog', children: daysContent }} load={loadDays} props={props} />
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
