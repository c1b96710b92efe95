import { Link as RouterLink } from '@tanstack/react-router';
import { dayOf } from '../../../format.ts';
import { type ColumnOf, DataTable } from '../../../ui/data-table.tsx';
import { Empty } from '../../../ui/loaded.tsx';
import { Badge, CopyButton } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { shortUrlOf } from './link-addresses.ts';
import { LinkPanel } from './link-panel.tsx';
import type { ShownLink } from '../queries.ts';

interface LinkTableProps {
	readonly links: readonly ShownLink[];
	readonly withPartner?: boolean;
	readonly isStale?: boolean;
	/** The id in the URL. */
	readonly opened: string | undefined;
	readonly onOpen: (id: string | undefined) => void;
}

/** Each row opens a panel. */
export function LinkTable({ links, withPartner = false, isStale = false, opened: openedId, onOpen }: LinkTableProps) {
	const { program } = useProgram();
	const opened = links.find(({ id }) => String(id) === openedId);
	const columns: readonly (ColumnOf<ShownLink> | false)[] = [
		{
			id: 'link',
			onPhone: 'lead',
			label: 'Link',
			cell: ({ short_link, archived }) => (
				<span className="row nowrap">
					<span className="cut brief code">{short_link}</span>
					{archived && <Badge>Archived</Badge>}
				</span>
			),
		},
		withPartner && { id: 'partner', onPhone: 'under', label: 'Partner', cell: ({ partner }) => <Owner partner={partner} /> },
		{
			id: 'to',
			label: 'Destination',
			cell: ({ destination_url }) => <span className="cut quiet">{destination_url ?? program.domain ?? 'none yet'}</span>,
		},
		{
			id: 'created',
			onPhone: 'under-end',
			label: 'Created',
			cell: ({ created_at }) => <span className="nowrap">{dayOf(created_at, program.time_zone)}</span>,
		},
		{
			id: 'copy',
			onPhone: 'end',
			label: 'Address',
			isNumber: true,
			cell: ({ short_link }) => <CopyButton label={`the address of ${short_link}`} text={shortUrlOf(short_link)} />,
		},
	];
	return (
		<>
			<DataTable
				label="Links"
				rows={links}
				isStale={isStale}
				columns={columns.filter((column) => column !== false)}
				onOpen={({ id }) => onOpen(String(id))}
				empty={
					<Empty title="No links">
						A link shows which partner brought a visitor. Each partner gets one. Create more to lead to other pages.
					</Empty>
				}
			/>
			{opened && <LinkPanel link={opened} onClose={() => onOpen(undefined)} />}
		</>
	);
}

function Owner({ partner }: Pick<ShownLink, 'partner'>) {
	const { programId } = useProgram();
	if (!partner) return <Badge reason="The partner’s membership has ended, so the link counts no clicks.">No partner</Badge>;
	return (
		<RouterLink
			className="cut brief"
			to="/programs/$programId/partners/$partnerId"
			params={{ programId, partnerId: String(partner.id) }}
			search={{}}
		>
			{partner.name}
		</RouterLink>
	);
}
