import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../../api.ts';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { Filter } from '../../../ui/fields.tsx';
import { LiveSearch } from '../../../ui/live-search.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { usePageLimit } from '../../../ui/page-size.ts';
import { Paging } from '../../../ui/paging.tsx';
import { PartnerPicker } from '../../partner-picker.tsx';
import { SearchNote } from '../../../ui/search-note.tsx';
import { useProgram } from '../../use-program.ts';
import { MakeCoupon } from './coupon-dialogs.tsx';
import { couponsQuery } from './coupon-queries.ts';
import { CouponTable } from './coupon-table.tsx';

const route = getRouteApi('/shell/programs/$programId/coupons');

const STATES = [
	{ value: 'false', label: 'In use' },
	{ value: 'true', label: 'Archived' },
] as const;

export function Coupons() {
	const { programId, can } = useProgram();
	const { partner, search, archived, cursor } = route.useSearch();
	const navigate = route.useNavigate();
	const filter = { partner_id: partner, search, archived };
	const limit = usePageLimit();
	const coupons = useQuery({ ...couponsQuery(programId, { ...filter, cursor, limit }), placeholderData: keepPreviousData });
	return (
		<Page
			title="Coupons"
			actions={
				<>
					<CsvButton ask={(options) => api.v1.programs[':id'].coupons.$get({ param: { id: programId }, query: filter }, options)} />
					{can('admin') && <MakeCoupon />}
				</>
			}
		>
			<div className="row">
				<LiveSearch
					label="Part of a code"
					value={search}
					onSearch={(text) => void navigate({ search: { partner, archived, search: text }, replace: true })}
				/>
				<PartnerPicker
					label="Partner"
					placeholder="All partners"
					id={partner}
					onChange={(id) => void navigate({ search: { partner: id, search, archived } })}
				/>
				<Filter
					label="State"
					all="In use and archived"
					options={STATES}
					value={archived}
					onChange={(value) => void navigate({ search: { partner, search, archived: value } })}
				/>
			</div>
			<Loaded query={coupons} lines={8}>
				{({ data, meta }) => (
					<>
						<Card isFlush>
							<CouponTable coupons={data} withPartner isStale={coupons.isPlaceholderData} />
						</Card>
						<SearchNote meta={meta} />
						<Paging
							isSizable
							cursor={cursor}
							meta={meta}
							shown={data.length}
							onChange={(next) => void navigate({ search: { partner, search, archived, cursor: next } })}
						/>
					</>
				)}
			</Loaded>
		</Page>
	);
}
