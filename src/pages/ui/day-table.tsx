import type { ChartDay } from './chart-places.ts';

interface DayTableProps {
	readonly title: string;
	readonly days: readonly ChartDay[];
	readonly write: (value: number) => string;
	readonly writeDay: (date: string) => string;
	readonly today: string | undefined;
}

/** The chart's values for screen readers, and for people who prefer numbers. */
export function DayTable({ title, days, write, writeDay, today }: DayTableProps) {
	const hasBefore = days.some(({ before }) => before);
	const hasNotes = days.some(({ notes }) => notes?.length);
	return (
		<details>
			<summary>Show as a table</summary>
			<div className="scroll" tabIndex={0} role="region" aria-label={title}>
				<table>
					<caption>{title}</caption>
					<thead>
						<tr>
							<th scope="col">Day</th>
							<th scope="col" className="number">
								Value
							</th>
							{hasBefore && <th scope="col">Compared with</th>}
							{hasBefore && (
								<th scope="col" className="number">
									Value that day
								</th>
							)}
							{hasNotes && <th scope="col">Notes</th>}
						</tr>
					</thead>
					<tbody>
						{days.map(({ date, value, before, notes }) => (
							<tr key={date}>
								<th scope="row">
									{writeDay(date)}
									{date === today && ', so far'}
								</th>
								<td className="number">{write(value)}</td>
								{hasBefore && <td>{before && writeDay(before.date)}</td>}
								{hasBefore && <td className="number">{before && write(before.value)}</td>}
								{hasNotes && <td>{notes?.join(', ')}</td>}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</details>
	);
}
