import { queryOptions, useQuery } from '@tanstack/react-query';
import { type AnswerOf, answerOf, api, ApiError } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { Gate } from '../../layout/gate.tsx';
import { Failed, Skeleton } from '../../ui/loaded.tsx';
import { JoinAsMyself, JoinWithAccount, JoinWithout } from './join.tsx';
import { useToken } from './token.ts';

export function Invitation() {
	const token = useToken();
	if (token !== undefined) return <Placeholders token={token} />;
	return (
		<Gate title="Invitation">
			<p>Open the complete link from your invitation, including the part after the #.</p>
			<SignInLink />
		</Gate>
	);
}

function ask(token: string, signal: AbortSignal) {
	return answerOf(api.v1.invitations[':token'].$get({ param: { token } }, { init: { signal } }));
}

/**
 * The person who was signed in when the link was opened, or null. Cached, so that a form in progress does not change when somebody signs in
 * elsewhere.
 */
const visitorQuery = queryOptions({
	queryKey: ['visitor'],
	queryFn: async ({ signal }) => (await answerOf(api.v1.me.$get({}, { init: { signal } })).catch(nobodyWhereSignedOut))?.data ?? null,
	staleTime: 'static',
});

function nobodyWhereSignedOut(error: unknown): null {
	if (error instanceof ApiError && error.status === 401) return null;
	throw error;
}

export type Invited = AnswerOf<Awaited<ReturnType<(typeof api.v1.invitations)[':token']['$get']>>>['data'];

function Placeholders({ token }: { token: string }) {
	const invitation = useQuery({
		queryKey: ['invitation', token],
		queryFn: async ({ signal }) => (await ask(token, signal)).data,
		// The token is invalid after acceptance.
		staleTime: 'static',
	});
	const me = useQuery(visitorQuery);
	if (invitation.error) return <NotOpen error={invitation.error} retry={() => void invitation.refetch()} isSignedIn={Boolean(me.data)} />;
	if (invitation.data === undefined || me.isPending) {
		return (
			<Gate title="Invitation">
				<Skeleton lines={4} />
			</Gate>
		);
	}
	const { workspace_name: workspace, partner } = invitation.data;
	return (
		<Gate title={partner ? `Become a partner of ${namesOf(partner.programs) || workspace}` : `Join ${workspace}`}>
			<About invitation={invitation.data} />
			{me.data ? (
				<JoinAsMyself token={token} user={me.data.user} invitedEmail={invitation.data.email} />
			) : (
				<JoinWithout
					token={token}
					invited={{ email: invitation.data.email, name: partner?.name ?? '' }}
					known={() => <JoinWithAccount token={token} />}
				/>
			)}
		</Gate>
	);
}

const ROLES = { owner: 'an owner', admin: 'an admin', member: 'a member' } as const;

function About({ invitation }: { invitation: Invited }) {
	const { workspace_name: workspace, invited_by: inviter, role, partner, email, expires_at: until } = invitation;
	return (
		<>
			<p className="wrap">
				{partner ? (
					<>
						<b>{inviter}</b> of {workspace} invites you to share your own links, earn commissions on their sales, and see each sale here.
					</>
				) : (
					<>
						<b>{inviter}</b> invites you to <b>{workspace}</b>
						{role && `, as ${ROLES[role]}`}.
					</>
				)}
			</p>
			<p className="quiet small wrap">
				Sent to {email}. It can be used once, until {dayOf(until)}.
			</p>
		</>
	);
}

function namesOf(programs: readonly { readonly name: string }[]): string {
	return programs.map(({ name }) => name).join(', ');
}

/** The token was used or withdrawn, has expired, or never existed. */
function NotOpen({ error, retry, isSignedIn }: { error: Error; retry: () => void; isSignedIn: boolean }) {
	if (!(error instanceof ApiError) || error.isPassing || error.status === 429) {
		return (
			<Gate title="Invitation">
				<Failed error={error} retry={retry} />
			</Gate>
		);
	}
	if (error.status === 404) {
		return (
			<Gate title="Invitation not found">
				<p>Part of the link may be missing. Copy the whole link, or ask for a new one.</p>
				<SignInLink />
			</Gate>
		);
	}
	return (
		<Gate title="This invitation no longer works">
			<p className="wrap">{error.message}.</p>
			<p>If you accepted it yourself, continue. Otherwise ask for a new invitation.</p>
			{isSignedIn ? (
				<a className="button primary" href="/portal">
					Go on
				</a>
			) : (
				<SignInLink />
			)}
		</Gate>
	);
}

function SignInLink() {
	return (
		<p className="small">
			Have an account? <a href="/portal/sign-in">Sign in</a>
		</p>
	);
}
