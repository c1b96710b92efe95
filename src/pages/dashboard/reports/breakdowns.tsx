import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { type Dimension, DIMENSIONS, storedDimensionOf } from '../../../domain/reporting/breakdown.ts';
import { amount, count, country } from '../../format.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { type ReportRequest, askBreakdown, type BreakdownRow, breakdownQuery, FILTER_FIELDS, type ReportFilter } from './report.ts';

/** The title of each table, the label for rows without a value, and the column. */
const NAMES = {
	partner: ['Partners', 'No partner', 'Partner'],
	link: ['Links', 'No link', 'Link'],
	product: ['Products', 'No product', 'Product'],
	country: ['Countries', 'Unknown', 'Country'],
	source: ['Sources', 'Direct or unknown', 'Source'],
} as const satisfies Record<Dimension, readonly [title: string, none: string, one: string]>;

interface BreakdownsProps {
	readonly request: ReportRequest;
	readonly currency: string;
	readonly onFilter: (filter: ReportFilter) => void;
}

export function Breakdowns(props: BreakdownsProps) {
	return (
		<div className="columns">
			<Breakdown {...props} choices={['partner', 'link']} />
			<Breakdown {...props} choices={['source', 'country', 'product']} />
		</div>
	);
}

function Breakdown({ choices, ...props }: BreakdownsProps & { choices: readonly [Dimension, ...Dimension[]] }) {
	const [by, setBy] = useState<Dimension>(choices[0]);
	const { request } = props;
	return (
		<Card
			title={NAMES[by][0]}
			isFlush
			actions={
				<>
					<ToggleButtonGroup
						aria-label="Break down by"
						disallowEmptySelection
						selectedKeys={[by]}
						onSelectionChange={(keys) => setBy(choices.find((choice) => keys.has(choice)) ?? by)}
					>
						{choices.map((choice) => (
							<ToggleButton key={choice} id={choice}>
								{NAMES[choice][0]}
							</ToggleButton>
						))}
					</ToggleButtonGroup>
					{canFollow(by, request.filter) && <CsvButton ask={(options) => askBreakdown(by, request, {}, options)} />}
				</>
			}
		>
			{canFollow(by, request.filter) ? (
				<Rows key={by} {...props} by={by} />
			) : (
				<Empty title="This table cannot be filtered this way">
					Figures are stored for one dimension at a time, such as partner or country. Clear the filter to see all{' '}
					{NAMES[by][0].toLowerCase()}.
				</Empty>
			)}
		</Card>
	);
}

/** Daily rows have one dimension each, except that links are stored with their partner. */
function canFollow(by: Dimension, filter: ReportFilter): boolean {
	return DIMENSIONS.filter((dimension) => filter[FILTER_FIELDS[dimension]] !== undefined).every(
		(dimension) => storedDimensionOf(dimension) === storedDimensionOf(by),
	);
}

function Rows({ by, request, currency, onFilter }: BreakdownsProps & { by: Dimension }) {
	const query = useQuery({ ...breakdownQuery(by, request), placeholderData: keepPreviousData });
	const [title, none, one] = NAMES[by];
	return (
		<Loaded query={query} lines={6}>
			{({ data }) =>
				data.length === 0 ? (
					<Empty title="No clicks or sales">Clicks and sales from these days appear here.</Empty>
				) : (
					<div className="scroll" tabIndex={0} role="region" aria-label={`${title} table`}>
						<table className="breakdown" aria-busy={query.isPlaceholderData}>
							<thead>
								<tr>
									<th scope="col">{one}</th>
									{by !== 'product' && (
										<th scope="col" className="number">
											Clicks
										</th>
									)}
									<th scope="col" className="number">
										Sales
									</th>
									<th scope="col" className="number">
										Revenue
									</th>
									<th scope="col" className="number">
										Commission
									</th>
								</tr>
							</thead>
							<tbody>
								{data.map((row) => (
									<BreakdownLine key={row.value ?? ''} {...{ row, by, currency, none, onFilter }} greatest={data[0]?.revenue ?? 0} />
								))}
							</tbody>
						</table>
					</div>
				)
			}
		</Loaded>
	);
}

interface LineProps {
	readonly row: BreakdownRow;
	readonly by: Dimension;
	readonly currency: string;
	readonly none: string;
	/** The highest revenue, from the first row. */
	readonly greatest: number;
	readonly onFilter: (filter: ReportFilter) => void;
}

function BreakdownLine({ row, by, currency, none, greatest, onFilter }: LineProps) {
	const { value, label } = row;
	const name = by === 'country' && label !== null ? country(label) : (label ?? none);
	return (
		<tr>
			<td>
				<i className="bar-of" aria-hidden="true" style={{ width: `${greatest > 0 ? (100 * row.revenue) / greatest : 0}%` }} />
				{value === null ? (
					<span>{name}</span>
				) : (
					<Button className="react-aria-Button link" onPress={() => onFilter({ [FILTER_FIELDS[by]]: String(value) })}>
						{name}
					</Button>
				)}
			</td>
			{by !== 'product' && <td className="number">{count(row.clicks ?? 0)}</td>}
			<td className="number">{count(row.sales)}</td>
			<td className="number">{amount(row.revenue, currency)}</td>
			<td className="number">{amount(row.commission, currency)}</td>
		</tr>
	);
}
