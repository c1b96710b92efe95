import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { Paging } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { PartnerPicker } from '../partner-picker.tsx';
import { useProgram } from '../use-program.ts';
import { LinkTable } from './link-table.tsx';
import { MakeLink } from './make-link.tsx';

const route = getRouteApi('/shell/programs/$programId/links');

export function Links() {
	const { programId, may } = useProgram();
	const { partner, cursor, opened } = route.useSearch();
	const navigate = route.useNavigate();
	const links = useQuery({
		queryKey: ['links', programId, partner, cursor],
		queryFn: ({ signal }) =>
			answerOf(
				api.v1.programs[':id'].links.$get({ param: { id: programId }, query: { partner_id: partner, cursor } }, { init: { signal } }),
			),
		placeholderData: keepPreviousData,
	});
	return (
		<Page title="Links" actions={may('admin') && <MakeLink />}>
			<div className="row">
				<PartnerPicker
					label="Links of"
					placeholder="Every partner"
					id={partner}
					onChange={(id) => void navigate({ search: { partner: id } })}
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
								onOpen={(id) => void navigate({ search: { partner, cursor, opened: id } })}
							/>
						</Card>
						<Paging cursor={cursor} next={meta.next_cursor} onChange={(next) => void navigate({ search: { partner, cursor: next } })} />
					</>
				)}
			</Loaded>
		</Page>
	);
}
