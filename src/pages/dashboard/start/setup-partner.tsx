import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { meQuery } from '../../layout/me.ts';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { InvitationLink } from '../partners/invitation-link.tsx';
import { pageUrlOf, shortUrlOf } from '../partners/links/link-addresses.ts';
import { useProgram } from '../use-program.ts';
import { newInvitationQuery } from './new-key.ts';

export type FirstPartner = Awaited<ReturnType<typeof readPartners>>['data'][number];

function readPartners(id: string, signal: AbortSignal) {
	return answerOf(api.v1.programs[':id'].partners.$get({ param: { id }, query: { limit: '1' } }, { init: { signal } }));
}

export function useFirstPartner() {
	const { programId } = useProgram();
	return useQuery({
		queryKey: ['partners', programId, 'first'],
		queryFn: async ({ signal }) => (await readPartners(programId, signal)).data[0] ?? null,
	});
}

/** Adds a partner, and shows the partner's link and invitation. */
export function Partner() {
	const { can } = useProgram();
	const partner = useFirstPartner();
	return (
		<Loaded query={partner} lines={2}>
			{(found) => {
				if (found) return <Added partner={found} />;
				return (
					<>
						<p>Add yourself first, to try everything out. Each partner gets a link immediately.</p>
						{can('admin') && <AddForm />}
					</>
				);
			}}
		</Loaded>
	);
}

function AddForm() {
	const { programId } = useProgram();
	const { data: me } = useSuspenseQuery(meQuery);
	const queryClient = useQueryClient();
	const add = useAction({
		send: (json: { name: string; email: string }) => answerOf(api.v1.programs[':id'].partners.$post({ param: { id: programId }, json })),
		isQuiet: true,
		onDone: ({ data }) => queryClient.setQueryData(newInvitationQuery(programId, data.id).queryKey, data),
	});
	return (
		<ActionForm
			action="Add the partner"
			isPending={add.isPending}
			error={add.error}
			onSend={(fields) => add.mutate({ name: textOf(fields, 'name') ?? '', email: textOf(fields, 'email') ?? '' })}
		>
			<div className="field-pair">
				<Field label="Name" name="name" defaultValue={me.user.name} maxLength={120} isRequired />
				<Field label="Email address" name="email" type="email" defaultValue={me.user.email} isRequired />
			</div>
		</ActionForm>
	);
}

function Added({ partner }: { partner: FirstPartner }) {
	const { programId, program } = useProgram();
	const [link] = partner.links;
	return (
		<>
			{link && (
				<div className="stack tight">
					<p>
						<Link to="/programs/$programId/partners/$partnerId" params={{ programId, partnerId: String(partner.id) }}>
							{partner.name}
						</Link>{' '}
						has this link:
					</p>
					<Copy label="the partner's link" text={pageUrlOf(link, program.domain) ?? shortUrlOf(link.short_link)} />
				</div>
			)}
			<Invitation partner={partner} />
		</>
	);
}

/** The service stores only a hash of the invitation. So after a reload, only a new one can be shown. */
function Invitation({ partner }: { partner: FirstPartner }) {
	const { programId, can } = useProgram();
	const queryClient = useQueryClient();
	const query = newInvitationQuery(programId, partner.id);
	const { data: invitation } = useQuery(query);
	const invite = useAction({
		send: () =>
			answerOf(api.v1.programs[':id'].partners[':partnerId'].invitation.$post({ param: { id: programId, partnerId: String(partner.id) } })),
		onDone: ({ data }) => queryClient.setQueryData(query.queryKey, data),
	});
	if (partner.accepted) return <p>{partner.name} accepted the invitation and can sign in to the portal.</p>;
	if (invitation) {
		return (
			<div role="status">
				<InvitationLink url={invitation.invitation_url} email={invitation.email} mailed={invitation.mailed} />
			</div>
		);
	}
	if (!can('admin')) return null;
	return (
		<div className="row">
			<Button isPending={invite.isPending} onPress={() => invite.mutate()}>
				Create a new invitation link
			</Button>
			<span className="quiet small">{partner.name} has not accepted the invitation yet. A new link replaces the previous one.</span>
		</div>
	);
}
