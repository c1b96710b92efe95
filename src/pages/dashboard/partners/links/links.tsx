import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '../../../api.ts';
import { LiveSearch } from '../../../ui/live-search.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { usePageLimit } from '../../../ui/page-size.ts';
import { Paging } from '../../../ui/paging.tsx';
import { PartnerPicker } from '../../partner-picker.tsx';
import { SearchNote } from '../../../ui/search-note.tsx';
import { useProgram } from '../../use-program.ts';
import { LinkTable } from './link-table.tsx';
import { MakeLink } from './add-link.tsx';

const route = getRouteApi('/shell/programs/$programId/links');

export function Links() {
	const { programId, can } = useProgram();
	const { partner, search, cursor, opened } = route.useSearch();
	const navigate = route.useNavigate();
	const limit = usePageLimit();
	const links = useQuery({
		queryKey: ['links', programId, partner, search, cursor, limit],
		queryFn: ({ signal }) =>
			answerOf(
				api.v1.programs[':id'].links.$get(
					{ param: { id: programId }, query: { partner_id: partner, search, cursor, limit, total: 'true' } },
					{ init: { signal } },
				),
			),
		placeholderData: keepPreviousData,
	});
	return (
		<Page title="Links" actions={can('admin') && <MakeLink />}>
			<div className="row">
				<LiveSearch
					label="Part of a link"
					value={search}
					onSearch={(text) => void navigate({ search: { partner, search: text }, replace: true })}
				/>
				<PartnerPicker
					label="Partner"
					placeholder="All partners"
					id={partner}
					onChange={(id) => void navigate({ search: { partner: id, search } })}
				/>
			</div>
			<Loaded query={links} lines={8}>
				{({ data, meta }) => (
					<>
						<Card isFlush>
							<LinkTable
								links={data}
								withPartner
								isStale={links.isPlaceholderData}
								opened={opened}
								onOpen={(id) => void navigate({ search: { partner, search, cursor, opened: id } })}
							/>
						</Card>
						<SearchNote meta={meta} />
						<Paging
							isSizable
							cursor={cursor}
							meta={meta}
							shown={data.length}
							onChange={(next) => void navigate({ search: { partner, search, cursor: next } })}
						/>
					</>
				)}
			</Loaded>
		</Page>
	);
}
