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
import { deviceOf } from './device.ts';

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
			<p className="quiet">Where you are signed in. Do you not know one? End it, and change your password.</p>
			<Card isFlush>
				<Loaded query={query} lines={6}>
					{({ data, meta }) => (
						<>
							<DataTable
								label="Sessions"
								rows={data}
								isStale={query.isPlaceholderData}
								empty={<Empty title="No session is on this page" />}
								columns={[
									{ id: 'device', label: 'Browser or tool', cell: (session) => <Device session={session} /> },
									{ id: 'network', label: 'Began in network', cell: ({ network }) => network ?? <span className="quiet">Not known</span> },
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
									{ id: 'ends', label: 'Ends by itself', cell: ({ expires_at: at }) => <span className="when">{dayOf(at)}</span> },
									{ id: 'end', label: 'End', cell: (session) => <End session={session} /> },
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
			{session.is_current && <Badge tone="good">This one</Badge>}
		</span>
	);
}

/** The current session ends by signing out. */
function End({ session }: { session: Session }) {
	const end = useAction({
		send: () => answerOf(api.v1.auth.sessions[':id'].$delete({ param: { id: String(session.id) } })),
		successMessage: () => 'The session has ended',
	});
	if (session.is_current) return null;
	return (
		<Button
			className="react-aria-Button danger"
			aria-label={`End the session in ${deviceOf(session.user_agent)}`}
			isPending={end.isPending}
			onPress={() => end.mutate()}
		>
			End
		</Button>
	);
}

function EndOthers() {
	const end = useAction({
		send: async () => (await answerOf(api.v1.auth.sessions.$delete())).data,
		successMessage: ({ ended }) => (ended === 0 ? 'There was no other session' : `${plural(ended, 'session')} ended`),
	});
	return (
		<Confirm
			trigger={
				<Button className="react-aria-Button danger" isPending={end.isPending}>
					End all others
				</Button>
			}
			title="End all other sessions?"
			action="End them"
			isDangerous
			isPending={end.isPending}
			onConfirm={() => end.mutate()}
		>
			<p>Whoever uses one of them has to sign in again. You stay signed in here.</p>
		</Confirm>
	);
}
