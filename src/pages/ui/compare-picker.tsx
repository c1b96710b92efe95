import { ChevronDown } from 'lucide-react';
import { COMPARED_WITH, type Compare } from './compare.ts';
import { Late } from './late.tsx';

export interface ComparePickerProps {
	readonly value: Compare;
	/** Custom days begin with the first day of the shown comparison. */
	readonly firstDay: string | undefined;
	readonly onChange: (value: Compare) => void;
}

const loadMenu = async () => (await import('./compare-menu.tsx')).CompareMenu;

export function ComparePicker(props: ComparePickerProps) {
	const { value, onChange } = props;
	const compared = COMPARED_WITH[value.compare ?? 'previous'];
	return (
		<div className="row" role="group" aria-label="Comparison">
			<Late
				button={{
					'aria-label': `Compare with: ${compared}`,
					children: (
						<>
							<span className="quiet">Compare with</span> {compared}
							{value.match_weekdays === 'on' && value.compare !== 'off' && <span className="quiet">by weekday</span>}
							<ChevronDown size={14} />
						</>
					),
				}}
				load={loadMenu}
				props={props}
			/>
			{value.compare === 'custom' && (
				<label className="row compare-from">
					<span className="quiet">from</span>
					<input
						type="date"
						className="react-aria-Input"
						aria-label="First day to compare with"
						value={value.compare_from ?? ''}
						min="1970-01-01"
						max="2999-12-31"
						onChange={({ target }) => target.value !== '' && onChange({ ...value, compare_from: target.value })}
					/>
				</label>
			)}
		</div>
	);
}
