import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../api.ts';
import { ago, dayOf, moment, plural } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Confirm } from '../ui/dialogs.tsx';
import { Empty, Loaded } from '../ui/loaded.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Paging } from '../ui/paging.tsx';
import { Badge } from '../ui/small.tsx';
import { useAction } from '../ui/use-action.ts';
import { deviceOf } from '../../domain/people/device.ts';

const route = getRouteApi('/shell/account/sessions');

async function listSessions(cursor: string | undefined, signal: AbortSignal) {
	return answerOf(api.v1.auth.sessions.$get({ query: { cursor, total: 'true' } }, { init: { signal } }));
}

type Session = Awaited<ReturnType<typeof listSessions>>['data'][number];

export function Sessions() {
	const { cursor } = route.useSearch();
	const navigate = route.useNavigate();
	const query = useQuery({
		queryKey: ['sessions', cursor],
		queryFn: ({ signal }) => listSessions(cursor, signal),
		placeholderData: keepPreviousData,
	});
	return (
		<Page title="Sessions" actions={<EndOthers />}>
			<p className="quiet">You are signed in on these devices. If you do not recognise one, sign it out and change your password.</p>
			<Card isFlush>
				<Loaded query={query} lines={6}>
					{({ data, meta }) => (
						<>
							<DataTable
								label="Sessions"
								rows={data}
								isStale={query.isPlaceholderData}
								empty={<Empty title="There are no sessions on this page" />}
								columns={[
									{ id: 'device', label: 'Browser or tool', cell: (session) => <Device session={session} /> },
									{ id: 'network', label: 'Signed in from', cell: ({ network }) => network ?? <span className="quiet">Unknown</span> },
									{
										id: 'used',
										label: 'Last used',
										cell: ({ last_used_at: at }) => (
											<span className="when" title={moment(at)}>
												{ago(at)}
											</span>
										),
									},
									{ id: 'began', label: 'Since', cell: ({ created_at: at }) => <span className="when">{dayOf(at)}</span> },
									{ id: 'ends', label: 'Expires', cell: ({ expires_at: at }) => <span className="when">{dayOf(at)}</span> },
									{ id: 'end', label: 'Actions', cell: (session) => <End session={session} /> },
								]}
							/>
							<Paging cursor={cursor} meta={meta} shown={data.length} onChange={(next) => void navigate({ search: { cursor: next } })} />
						</>
					)}
				</Loaded>
			</Card>
		</Page>
	);
}

function Device({ session }: { session: Session }) {
	return (
		<span className="row">
			<span className="cut" title={session.user_agent ?? undefined}>
				{deviceOf(session.user_agent)}
			</span>
			{session.is_current && <Badge tone="good">This session</Badge>}
		</span>
	);
}

/** The current session ends by signing out. */
function End({ session }: { session: Session }) {
	const end = useAction({
		send: () => answerOf(api.v1.auth.sessions[':id'].$delete({ param: { id: String(session.id) } })),
		successMessage: () => 'The session was signed out',
	});
	if (session.is_current) return null;
	return (
		<Button
			className="react-aria-Button danger"
			aria-label={`Sign out ${deviceOf(session.user_agent)}`}
			isPending={end.isPending}
			onPress={() => end.mutate()}
		>
			Sign out
		</Button>
	);
}

function EndOthers() {
	const end = useAction({
		send: async () => (await answerOf(api.v1.auth.sessions.$delete())).data,
		successMessage: ({ ended }) => (ended === 0 ? 'There were no other sessions' : `${plural(ended, 'session')} signed out`),
	});
	return (
		<Confirm
			trigger={
				<Button className="react-aria-Button danger" isPending={end.isPending}>
					Sign out all others
				</Button>
			}
			title="Sign out all other sessions?"
			action="Sign them out"
			isDangerous
			isPending={end.isPending}
			onConfirm={() => end.mutate()}
		>
			<p>All other devices will have to sign in again. You stay signed in here.</p>
		</Confirm>
	);
}
