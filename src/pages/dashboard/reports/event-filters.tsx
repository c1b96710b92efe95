import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { Filter, Search } from '../../ui/fields.tsx';
import { RangePicker } from '../../ui/range-picker.tsx';
import { PartnerPicker } from '../partner-picker.tsx';
import { useProgram } from '../use-program.ts';
import { TYPES } from './event-labels.ts';
import { listRange } from '../../ui/range.ts';

const route = getRouteApi('/shell/programs/$programId/events');

type Searched = ReturnType<typeof route.useSearch>;
type Filters = ReturnType<typeof filtersIn>;

export function filtersIn(search: Partial<Searched>) {
	const { type, partner_id, link_id, country, customer_id, customer_key, transaction_id, period, from, to } = search;
	return { type, partner_id, link_id, country, customer_id, customer_key, transaction_id, period, from, to };
}

interface FiltersProps {
	readonly filters: Filters;
	readonly onChoose: (selected: Partial<Filters>) => void;
}

export function EventFilters({ filters, onChoose }: FiltersProps) {
	const { program } = useProgram();
	const { type, partner_id, link_id, country, customer_id, customer_key, transaction_id, ...days } = filters;
	const isFiner = [link_id, country, customer_id, customer_key, transaction_id].some(isGiven);
	const [isOpen, setOpen] = useState(isFiner);
	return (
		<div className="stack tight">
			<div className="filters">
				<Filter label="Type" all="All types" options={TYPES} value={type} onChange={(value) => onChoose({ type: value })} />
				<PartnerPicker
					label="Partner"
					placeholder="All partners"
					id={partner_id}
					onChange={(id) => onChoose({ partner_id: id, link_id: undefined })}
				/>
				<RangePicker
					range={listRange(days)}
					zone={program.time_zone}
					onChange={({ period, from, to }) => onChoose({ period: period === 'all' ? undefined : period, from, to })}
				/>
				<Button className="react-aria-Button plain" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
					{isOpen ? 'Fewer filters' : 'More filters'}
				</Button>
				{Object.values(filters).some(isGiven) && (
					<Button className="react-aria-Button plain" onPress={() => onChoose(filtersIn({}))}>
						Clear filters
					</Button>
				)}
			</div>
			{isOpen && <FinerFilters filters={filters} onChoose={onChoose} />}
		</div>
	);
}

function isGiven(value: string | undefined): boolean {
	return value !== undefined;
}

function FinerFilters({ filters, onChoose }: FiltersProps) {
	const { partner_id, link_id, country, customer_id, customer_key, transaction_id } = filters;
	return (
		<div className="filters">
			<LinkFilter partnerId={partner_id} value={link_id} onChange={(value) => onChoose({ link_id: value })} />
			<CountryFilter value={country} onChange={(value) => onChoose({ country: value })} />
			<Search label="Transaction id" value={transaction_id} onSearch={(text) => onChoose({ transaction_id: text })} />
			<Search label="Customer key" value={customer_key} onSearch={(text) => onChoose({ customer_key: text })} />
			{customer_id !== undefined && (
				<Button aria-label={`Customer ${customer_id}: show all customers`} onPress={() => onChoose({ customer_id: undefined })}>
					Customer {customer_id} <span aria-hidden="true">✕</span>
				</Button>
			)}
		</div>
	);
}

const OFFERED = '200';

interface SelectedProps {
	readonly value: string | undefined;
	readonly onChange: (value: string | undefined) => void;
}

/** The partner's links, or the program's newest ones. */
export function LinkFilter({ partnerId, value, onChange }: SelectedProps & { partnerId: string | undefined }) {
	const { programId } = useProgram();
	const { data: links = [] } = useQuery({
		queryKey: ['links', programId, 'offered', partnerId],
		queryFn: async ({ signal }) => {
			const query = { partner_id: partnerId, limit: OFFERED };
			return (await answerOf(api.v1.programs[':id'].links.$get({ param: { id: programId }, query }, { init: { signal } }))).data;
		},
	});
	const options = links.map(({ id, short_link }) => ({ value: String(id), label: short_link }));
	const isOffered = value === undefined || options.some((option) => option.value === value);
	return (
		<Filter
			label="Link"
			all="All links"
			options={isOffered ? options : [...options, { value, label: `Link ${value}` }]}
			value={value}
			onChange={onChange}
		/>
	);
}

export function CountryFilter({ value, onChange }: SelectedProps) {
	return <Filter label="Country" all="All countries" options={countries()} value={value} onChange={onChange} />;
}

let known: readonly { readonly value: string; readonly label: string }[] | undefined;

/** Countries that have a name, sorted by it. */
function countries() {
	if (known) return known;
	const names = new Intl.DisplayNames('en-US', { type: 'region', fallback: 'none' });
	const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
	known = alphabet
		.flatMap((first) => alphabet.map((second) => first + second))
		.flatMap((value) => {
			const label = names.of(value);
			return label === undefined ? [] : [{ value, label }];
		})
		.sort((a, b) => a.label.localeCompare(b.label, 'en-US'));
	return known;
}
