import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { count, plural } from '../../format.ts';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { Badge, CopyButton } from '../../ui/small.tsx';
import { useMembership } from '../memberships.ts';
import { performanceQuery } from '../queries.ts';
import { useNarrow } from '../use-narrow.ts';
import { AddLink } from './add-link.tsx';
import { Amounts, amountsOf } from './amounts.tsx';
import { Coupons } from './coupons.tsx';
import { LinkPanel } from './link-panel.tsx';
import { type Figures, linksQuery, type OwnLink } from './queries.ts';

const route = getRouteApi('/shell/programs/$membershipId/links');

/** `figures` are of all time, and undefined until loaded. */
export interface ShownLink extends OwnLink {
	readonly figures: Figures | undefined;
}

export function Links() {
	const { membershipId, program, zone, status, isActive, isArchived } = useMembership();
	const { cursor, open } = route.useSearch();
	const navigate = route.useNavigate();
	const isNarrow = useNarrow();
	const links = useQuery({ ...linksQuery(membershipId, cursor), placeholderData: keepPreviousData });
	const report = useQuery(performanceQuery({ membershipId, zone, range: { period: 'all' } }));
	const show = (id: number | undefined) => void navigate({ search: (before) => ({ ...before, open: id?.toString() }) });
	const rows = (links.data?.data ?? []).map((link) => ({ ...link, figures: report.data && figuresOf(report.data.data, link.id) }));
	const opened = rows.find(({ id }) => String(id) === open);
	return (
		<Page title="Links" actions={isActive && !isArchived && program.domain !== null && <AddLink />}>
			{status === 'suspended' && (
				<p className="note warn">Your membership is suspended. Your links count no clicks and cannot be changed until it resumes.</p>
			)}
			{status === 'active' && isArchived && <p className="note warn">The program is archived. Your links no longer count clicks.</p>}
			{status === 'active' && !program.active && !isArchived && (
				<p className="note warn">The program is paused. Your links count no clicks until it resumes.</p>
			)}
			{program.domain === null && (
				<p className="note">The program has not set its domain yet, so your links lead nowhere. Ask the program to set it.</p>
			)}
			<Card isFlush>
				<Loaded query={links} lines={6}>
					{() => (
						<DataTable
							label="Links"
							columns={columnsOf(program.currency, isNarrow)}
							rows={rows}
							isStale={links.isPlaceholderData}
							empty={<Empty title="No links">Add a link. You earn a commission when someone follows it and buys.</Empty>}
							onOpen={({ id }) => show(id)}
						/>
					)}
				</Loaded>
			</Card>
			<Paging
				cursor={cursor}
				meta={links.data?.meta}
				shown={links.data?.data.length ?? 0}
				limit={100}
				onChange={(next) => void navigate({ search: { cursor: next } })}
			/>
			<Coupons />
			{opened && <LinkPanel link={opened} onClose={() => show(undefined)} />}
		</Page>
	);
}

const NOTHING: Figures = {
	clicks: 0,
	leads: 0,
	conversions: 0,
	sales: 0,
	revenue_cents: 0,
	net_revenue_cents: 0,
	commission_cents: 0,
	net_commission_cents: 0,
	currencies: {},
};

function figuresOf({ links }: { readonly links: readonly (Figures & { readonly link: { readonly id: number } })[] }, id: number): Figures {
	return links.find(({ link }) => link.id === id) ?? NOTHING;
}

function columnsOf(currency: string, isNarrow: boolean): readonly ColumnOf<ShownLink>[] {
	const copy: ColumnOf<ShownLink> = {
		id: 'copy',
		label: 'Address',
		isNumber: true,
		cell: ({ short_link, url, archived }) => url !== null && !archived && <CopyButton label={`the address of ${short_link}`} text={url} />,
	};
	if (isNarrow) {
		const cell = (row: ShownLink) => (
			<span className="stack tight">
				<Name link={row} />
				<span className="small">
					{row.figures
						? `${plural(row.figures.clicks, 'click')}, ${amountsOf(row.figures, 'net_commission_cents', currency).join(' + ')} earned`
						: '…'}
				</span>
			</span>
		);
		return [{ id: 'link', label: 'Link', cell }, copy];
	}
	return [
		{ id: 'link', label: 'Link', cell: (row) => <Name link={row} /> },
		{ id: 'clicks', label: 'Clicks', isNumber: true, cell: ({ figures }) => (figures ? count(figures.clicks) : '…') },
		{ id: 'sales', label: 'Sales', isNumber: true, cell: ({ figures }) => (figures ? count(figures.sales) : '…') },
		{
			id: 'earned',
			label: 'You earned',
			isNumber: true,
			cell: ({ figures }) => (figures ? <Amounts figures={figures} of="net_commission_cents" /> : '…'),
		},
		copy,
	];
}

/** The link's URL, which partners want to copy, and its destination. */
function Name({ link: { short_link, url, destination_url, archived } }: { link: ShownLink }) {
	const { program } = useMembership();
	const page = destination_url ?? program.domain;
	return (
		<span className="lines">
			<span className="wrap code">
				{withoutScheme(url ?? short_link)} {archived && <Badge>Archived</Badge>}
			</span>
			<span className="wrap quiet small">{page === null ? 'Leads nowhere yet' : `Leads to ${withoutScheme(page)}`}</span>
		</span>
	);
}

function withoutScheme(url: string): string {
	return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
