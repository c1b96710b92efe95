import { Button } from 'react-aria-components';
import { answerOf } from '../../api.ts';
import { count, dayOf } from '../../format.ts';
import { Confirm, DialogButton, SidePanel } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Badge, Copy, Facts } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';
import { Amounts } from './amounts.tsx';
import type { ShownLink } from './links.tsx';
import { PageField } from './page-field.tsx';

export function LinkPanel({ link, onClose }: { link: ShownLink; onClose: () => void }) {
	const { program, zone, isActive } = useMembership();
	const { figures } = link;
	return (
		<SidePanel title={link.short_link} onClose={onClose}>
			{link.archived ? (
				<p className="wrap">
					<Badge>Archived</Badge> It no longer counts clicks. The program can restore it.
				</p>
			) : (
				<Addresses link={link} />
			)}
			<section className="stack tight">
				<h3>What it brought</h3>
				<Facts
					facts={[
						['Clicks', figures && count(figures.clicks)],
						['Sign-ups', figures && count(figures.leads)],
						['Sales', figures && count(figures.sales)],
						['You earned', figures && <Amounts figures={figures} of="net_commission_cents" />],
						['Made', dayOf(link.created_at, zone)],
						['Leads to', link.destination_url ?? program.domain],
					]}
				/>
			</section>
			{isActive && !link.archived && (
				<div className="actions">
					<Archive link={link} />
					{program.domain !== null && (
						<DialogButton trigger={<Button>Change destination</Button>} title={`Destination of ${link.short_link}`}>
							{(close) => <ChangeForm link={link} close={close} />}
						</DialogButton>
					)}
				</div>
			)}
		</SidePanel>
	);
}

export function Addresses({ link: { url, page_url } }: { link: Pick<ShownLink, 'url' | 'page_url'> }) {
	return (
		<>
			{url !== null && (
				<section className="stack tight">
					<h3>Your link</h3>
					<Copy label="your link" text={url} />
					<p className="quiet small">For posts, profiles and newsletters. It counts the click and opens the page.</p>
				</section>
			)}
			{page_url !== null && (
				<section className="stack tight">
					<h3>The page itself</h3>
					<Copy label="the address of the page" text={page_url} />
					<p className="quiet small">It counts too. Use it if people should see which page they will open.</p>
				</section>
			)}
		</>
	);
}

function ChangeForm({ link, close }: { link: ShownLink; close: () => void }) {
	const { membershipId: id } = useMembership();
	const change = useAction({
		send: (fields: FormData) =>
			answerOf(
				own.links[':linkId'].$patch({
					param: { id, linkId: String(link.id) },
					json: { destination_url: textOf(fields, 'destination_url') ?? null },
				}),
			),
		successMessage: () => 'Saved',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={change.isPending} error={change.error} onCancel={close} onSend={(fields) => change.mutate(fields)}>
			<PageField
				defaultValue={link.destination_url ?? ''}
				note="Leave it empty for the front page. Links that you have already shared will lead there too."
			/>
		</ActionForm>
	);
}

function Archive({ link }: { link: ShownLink }) {
	const { membershipId: id } = useMembership();
	const archive = useAction({
		send: () => answerOf(own.links[':linkId'].$delete({ param: { id, linkId: String(link.id) } })),
		successMessage: () => `${link.short_link} counts no clicks any more`,
	});
	return (
		<Confirm
			trigger={<Button>Archive</Button>}
			title={`Archive ${link.short_link}?`}
			action="Archive"
			isDangerous
			isPending={archive.isPending}
			onConfirm={() => archive.mutate()}
		>
			<p>
				It will no longer count clicks where you have shared it, and only the program can restore it. Its customers stay yours, and their
				purchases still earn.
			</p>
		</Confirm>
	);
}
