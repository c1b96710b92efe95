import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { Confirm, DialogButton, SidePanel } from '../../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Badge, Copy, Facts } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { reportQuery } from '../../reports/report.ts';
import { SERIES, SERIES_NAMES, writer } from '../../reports/series.ts';
import { useProgram } from '../../use-program.ts';
import { deepLinkOf, pageUrlOf, shortUrlOf } from './link-addresses.ts';
import type { ShownLink } from '../queries.ts';

export function LinkPanel({ link, onClose }: { link: ShownLink; onClose: () => void }) {
	const { program, can } = useProgram();
	const page = pageUrlOf(link, program.domain);
	return (
		<SidePanel title={link.short_link} onClose={onClose}>
			{link.archived && (
				<div>
					<Badge>Archived</Badge> It counts no clicks.
				</div>
			)}
			<section className="stack tight">
				<h3>Short address</h3>
				<Copy label="short address" text={shortUrlOf(link.short_link)} />
				<p className="quiet small">For posts and profiles. It counts the click and redirects to the page.</p>
			</section>
			{page !== undefined && (
				<section className="stack tight">
					<h3>The page itself</h3>
					<Copy label="address of the page" text={page} />
					<p className="quiet small">For places that do not allow redirects. The script on the page counts the click.</p>
				</section>
			)}
			{program.domain !== null && <DeepLink shortLink={link.short_link} domain={program.domain} />}
			<Brought linkId={String(link.id)} />
			{can('admin') && (
				<div className="actions">
					<Archive link={link} />
					<DialogButton trigger={<Button>Change destination</Button>} title={`Destination of ${link.short_link}`}>
						{(close) => <ChangeForm link={link} close={close} />}
					</DialogButton>
				</div>
			)}
		</SidePanel>
	);
}

/** Builds a link to any page of the shop. */
function DeepLink({ shortLink, domain }: { shortLink: string; domain: string }) {
	const [page, setPage] = useState('');
	const address = deepLinkOf(page, shortLink, domain);
	return (
		<section className="stack tight">
			<Field
				label="Any other page"
				type="url"
				inputMode="url"
				value={page}
				onChange={setPage}
				placeholder={`https://${domain}/a-page`}
				description={page === '' || address ? `Enter a page of ${domain} to get its address with the code of this link.` : undefined}
			/>
			{page !== '' && !address && (
				<p className="bad small">
					This is not a page of {domain}. Start with https://{domain}/
				</p>
			)}
			{address && <Copy label="address of that page" text={address} />}
		</section>
	);
}

/** All-time figures. */
function Brought({ linkId }: { linkId: string }) {
	const { programId, program } = useProgram();
	const report = useQuery(reportQuery({ programId, zone: program.time_zone, range: { period: 'all' }, filter: { link_id: linkId } }));
	return (
		<section className="stack tight">
			<h3>All-time results</h3>
			<Loaded query={report} lines={3}>
				{({ metrics }) => (
					<Facts
						facts={SERIES_NAMES.map((name) => {
							const { label, total, more } = SERIES[name];
							const value = total(metrics);
							const others = SERIES[name].isMoney ? more?.(metrics, program.currency) : undefined;
							return [
								label,
								value !== null && (
									<>
										{writer(name, program.currency).exact(value)} <span className="quiet">{others?.join(' ')}</span>
									</>
								),
							] as const;
						})}
					/>
				)}
			</Loaded>
		</section>
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
		successMessage: () => 'Saved',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={change.isPending} error={change.error} onCancel={close} onSend={(fields) => change.mutate(fields)}>
			<Field
				label="Destination"
				name="destination_url"
				type="url"
				defaultValue={link.destination_url ?? ''}
				placeholder={program.domain ? `https://${program.domain}/` : undefined}
				description="A page, starting with https://. If empty: the home page of the program’s domain. Links that are already shared lead to the new page too."
				autoFocus
			/>
		</ActionForm>
	);
}

function Archive({ link }: { link: ShownLink }) {
	const { programId } = useProgram();
	const change = (archived: boolean) =>
		answerOf(api.v1.programs[':id'].links[':linkId'].$patch({ param: { id: programId, linkId: String(link.id) }, json: { archived } }));
	const archive = useAction({
		send: change,
		successMessage: (_, archived) => `${link.short_link} ${archived ? 'no longer counts clicks' : 'counts clicks again'}`,
		undo: (archived) => change(!archived),
	});
	if (link.archived) {
		return (
			<Button isPending={archive.isPending} onPress={() => archive.mutate(false)}>
				Restore
			</Button>
		);
	}
	return (
		<Confirm
			trigger={<Button>Archive</Button>}
			title={`Archive ${link.short_link}?`}
			action="Archive"
			isPending={archive.isPending}
			onConfirm={() => archive.mutate(true)}
		>
			<p>
				Its short address stops working and it counts no clicks until you restore it. Customers that it brought stay with the partner, and
				their sales keep earning commissions.
			</p>
		</Confirm>
	);
}
