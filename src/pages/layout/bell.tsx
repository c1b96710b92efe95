import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { answerOf, api } from '../api.ts';

const UNREAD_EVERY_MS = 60_000;

export function Bell() {
	const { data } = useQuery({
		queryKey: ['notifications', 'unread'],
		queryFn: async ({ signal }) =>
			(await answerOf(api.v1.notifications.$get({ query: { limit: '1' } }, { init: { signal } }))).meta.unread_count,
		refetchInterval: UNREAD_EVERY_MS,
	});
	const unread = data ?? 0;
	return (
		<Link to="/notifications" className="icon-link bell" aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}>
			<BellIcon size={16} />
			{unread > 0 && <b aria-hidden="true">{unread > 99 ? '99+' : unread}</b>}
		</Link>
	);
}
