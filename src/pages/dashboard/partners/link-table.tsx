import { Link as RouterLink } from '@tanstack/react-router';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { type ColumnOf, DataTable } from '../../ui/data-table.tsx';
import { Confirm, DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, Field, textOf } from '../../ui/fields.tsx';
import { Empty } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/small.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { pageUrlOf, shortUrlOf } from './link-addresses.ts';
import type { Link } from './queries.ts';

export type ShownLink = Link & { readonly partner: { readonly id: number; readonly name: string } | null };

interface LinkTableProps {
	readonly links: readonly ShownLink[];
	/** Whether the links are of several partners. */
	readonly withPartner?: boolean;
	readonly isStale?: boolean;
}

export function LinkTable({ links, withPartner = false, isStale = false }: LinkTableProps) {
	const { programId, program, may } = useProgram();
	const columns: readonly (ColumnOf<ShownLink> | false)[] = [
		{
			id: 'link',
			label: 'Link',
			cell: ({ short_link, archived }) => (
				<span className="row nowrap">
					<span className="cut brief code">{short_link}</span>
					{archived && <Badge>Archived</Badge>}
				</span>
			),
		},
		withPartner && {
			id: 'partner',
			label: 'Partner',
			cell: ({ partner }) =>
				partner ? (
					<RouterLink className="cut" to="/programs/$programId/partners/$partnerId" params={{ programId, partnerId: String(partner.id) }}>
						{partner.name}
					</RouterLink>
				) : (
					<Badge reason="The membership of its partner has ended: the link answers no clicks.">Nobody’s</Badge>
				),
		},
		{
			id: 'to',
			label: 'Leads to',
			cell: ({ destination_url }) => (
				<span className="cut brief quiet" title={destination_url ?? undefined}>
					{destination_url ?? program.domain ?? 'nowhere yet'}
				</span>
			),
		},
		{ id: 'created', label: 'Made', cell: ({ created_at }) => <span className="nowrap">{dayOf(created_at, program.time_zone)}</span> },
		{
			id: 'actions',
			label: 'Actions',
			isNumber: true,
			cell: (link) => (
				<span className="actions nowrap">
					<CopyMenu link={link} />
					{may('admin') && <ChangeLink link={link} />}
					{may('admin') && <Archive link={link} />}
				</span>
			),
		},
	];
	return (
		<DataTable
			label="Links"
			rows={links}
			isStale={isStale}
			columns={columns.filter((column) => column !== false)}
			empty={<Empty title="No links">A link says who brought a visitor. Each partner gets one; more lead to pages of their own.</Empty>}
		/>
	);
}

/** Both addresses of a link. */
function CopyMenu({ link }: { link: ShownLink }) {
	const { program } = useProgram();
	const page = pageUrlOf(link, program.domain);
	return (
		<MenuTrigger>
			<Button className="react-aria-Button plain" aria-label={`Copy ${link.short_link}`}>
				Copy <span aria-hidden="true">▾</span>
			</Button>
			<Popover>
				<Menu>
					<MenuItem onAction={() => void copy(shortUrlOf(link.short_link))} textValue="Short address">
						Short address <span className="cut quiet small">{shortUrlOf(link.short_link)}</span>
					</MenuItem>
					{page !== undefined && (
						<MenuItem onAction={() => void copy(page)} textValue="The page itself">
							The page itself <span className="cut quiet small">{page}</span>
						</MenuItem>
					)}
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}

async function copy(address: string): Promise<void> {
	await navigator.clipboard.writeText(address);
	toast({ title: 'Copied', text: address });
}

function ChangeLink({ link }: { link: ShownLink }) {
	return (
		<DialogButton
			trigger={
				<Button className="react-aria-Button plain" aria-label={`Change ${link.short_link}`}>
					Change
				</Button>
			}
			title={`Change ${link.short_link}`}
		>
			{(close) => <ChangeForm link={link} close={close} />}
		</DialogButton>
	);
}

function ChangeForm({ link, close }: { link: ShownLink; close: () => void }) {
	const { programId, program } = useProgram();
	const change = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.programs[':id'].links[':linkId'].$patch({
					param: { id: programId, linkId: String(link.id) },
					json: { destination_url: textOf(fields, 'destination_url') ?? null },
				}),
			),
		said: () => 'Saved',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={change.isPending} error={change.error} onCancel={close} onSend={(fields) => change.mutate(fields)}>
			<Field
				label="Leads to"
				name="destination_url"
				type="url"
				defaultValue={link.destination_url ?? ''}
				placeholder={program.domain ? `https://${program.domain}/` : undefined}
				description="A page, with its https://. Left empty: the front page of the program’s domain. Links that are out there lead to it from now on."
				autoFocus
			/>
		</ActionForm>
	);
}

function Archive({ link }: { link: ShownLink }) {
	const { programId } = useProgram();
	const archive = useAction({
		send: (archived: boolean) =>
			answerOf(api.v1.programs[':id'].links[':linkId'].$patch({ param: { id: programId, linkId: String(link.id) }, json: { archived } })),
		said: (_, archived) => `${link.short_link} ${archived ? 'answers no clicks any more' : 'answers clicks again'}`,
	});
	if (link.archived) {
		return (
			<Button
				className="react-aria-Button plain"
				aria-label={`Bring ${link.short_link} back`}
				isPending={archive.isPending}
				onPress={() => archive.mutate(false)}
			>
				Bring back
			</Button>
		);
	}
	return (
		<Confirm
			trigger={
				<Button className="react-aria-Button plain" aria-label={`Archive ${link.short_link}`}>
					Archive
				</Button>
			}
			title={`Archive ${link.short_link}?`}
			action="Archive"
			onConfirm={() => archive.mutate(true)}
		>
			<p>
				Where it stands already it counts no clicks any more, until you bring it back. Customers whom it brought stay the partner’s, and
				their sales go on earning.
			</p>
		</Confirm>
	);
}
