import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../api.ts';
import { ago, moment } from '../format.ts';
import { Toggle } from '../ui/fields.tsx';
import { Empty, Loaded } from '../ui/loaded.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Paging } from '../ui/paging.tsx';
import { useAction } from '../ui/use-action.ts';

const route = getRouteApi('/shell/notifications');

export type Notification = Awaited<ReturnType<typeof readNotifications>>['data'][number];

async function readNotifications(query: { unread?: 'true'; cursor?: string | undefined }, signal: AbortSignal) {
	return answerOf(api.v1.notifications.$get({ query: { ...query, total: 'true' } }, { init: { signal } }));
}

interface NotificationListProps {
	/** Describes what will appear here. */
	readonly hint: string;
	/** A link to the subject of the notification. */
	readonly way: (notification: Notification) => ReactNode;
}

export function NotificationList({ hint, way }: NotificationListProps) {
	const { unread, cursor } = route.useSearch();
	const navigate = route.useNavigate();
	const page = useQuery({
		queryKey: ['notifications', unread, cursor],
		queryFn: ({ signal }) => readNotifications({ ...(unread === 'yes' ? { unread: 'true' } : {}), cursor }, signal),
		placeholderData: keepPreviousData,
	});
	const readAll = useAction({
		// Newer notifications than the ones shown stay unread.
		send: (upTo: number) => answerOf(api.v1.notifications.$patch({ json: { up_to_id: upTo } })),
		successMessage: () => 'All notifications are marked as read',
	});
	const newest = page.data?.data[0];
	return (
		<Page
			title="Notifications"
			actions={
				<>
					<Link to="/account/mail" className="button">
						Preferences
					</Link>
					{cursor === undefined && newest && page.data && page.data.meta.unread_count > 0 && (
						<Button isPending={readAll.isPending} onPress={() => readAll.mutate(newest.id)}>
							Mark all as read
						</Button>
					)}
				</>
			}
		>
			<Toggle isSelected={unread === 'yes'} onChange={(isOn) => void navigate({ search: { unread: isOn ? 'yes' : undefined } })}>
				Unread only
			</Toggle>
			<Card isFlush>
				<Loaded query={page} lines={8}>
					{({ data, meta }) => (
						<>
							{data.length === 0 && <Empty title={unread === 'yes' ? 'No unread notifications' : 'No notifications yet'}>{hint}</Empty>}
							<ul className="plain notices">
								{data.map((notification) => (
									<Notice key={notification.id} notification={notification} way={way} />
								))}
							</ul>
							<Paging
								cursor={cursor}
								meta={meta}
								shown={data.length}
								onChange={(next) => void navigate({ search: (old) => ({ ...old, cursor: next }) })}
							/>
						</>
					)}
				</Loaded>
			</Card>
		</Page>
	);
}

function Notice({ notification, way }: { notification: Notification } & Pick<NotificationListProps, 'way'>) {
	const { id, message, program, created_at, read_at } = notification;
	const read = useAction({ send: () => answerOf(api.v1.notifications[':id'].read.$post({ param: { id: String(id) } })) });
	const isUnread = read_at === null;
	return (
		<li className={isUnread ? 'unread' : ''}>
			<div className="stack tight">
				<p className="wrap">
					{isUnread && <span className="visually-hidden">Unread: </span>}
					{message}
				</p>
				<p className="quiet small row">
					<time dateTime={created_at} title={moment(created_at)}>
						{ago(created_at)}
					</time>
					{program && <span>{program.name}</span>}
					{way(notification)}
				</p>
			</div>
			{isUnread && (
				<Button className="react-aria-Button plain" isPending={read.isPending} onPress={() => read.mutate()}>
					Mark as read
				</Button>
			)}
		</li>
	);
}
