import { Button, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { COMPARED_WITH, isComparedWith } from './compare.ts';
import type { ComparePickerProps } from './compare-picker.tsx';
import type { LateProps } from './late.tsx';

export function CompareMenu({ button, isOpenAtFirst, value, firstDay, onChange }: LateProps & ComparePickerProps) {
	const isByWeekday = value.match_weekdays === 'on';
	const choose = (key: unknown) => {
		if (!isComparedWith(key)) return;
		onChange({
			compare: key === 'previous' ? undefined : key,
			compare_from: key === 'custom' ? (value.compare_from ?? firstDay) : undefined,
			match_weekdays: key === 'off' ? undefined : value.match_weekdays,
		});
	};
	return (
		<MenuTrigger defaultOpen={isOpenAtFirst}>
			<Button {...button} />
			<Popover>
				<Menu aria-label="Compare with">
					<MenuSection
						aria-label="Days"
						selectionMode="single"
						disallowEmptySelection
						selectedKeys={[value.compare ?? 'previous']}
						onSelectionChange={(keys) => keys !== 'all' && choose(keys.values().next().value)}
					>
						{Object.entries(COMPARED_WITH).map(([id, label]) => (
							<MenuItem key={id} id={id}>
								{label}
							</MenuItem>
						))}
					</MenuSection>
					<Separator />
					<MenuSection
						aria-label="Weekdays"
						selectionMode="multiple"
						selectedKeys={isByWeekday ? ['weekdays'] : []}
						onSelectionChange={() => onChange({ ...value, match_weekdays: isByWeekday ? undefined : 'on' })}
					>
						<MenuItem id="weekdays" isDisabled={value.compare === 'off'}>
							Match weekdays
						</MenuItem>
					</MenuSection>
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}
