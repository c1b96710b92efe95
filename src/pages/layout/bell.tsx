import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api } from '../api.ts';

const UNREAD_EVERY_MS = 60_000;

/** Links to the notifications, with the unread count. */
export function Bell() {
	const { data } = useQuery({
		queryKey: ['notifications', 'unread'],
		queryFn: async ({ signal }) =>
			(await answerOf(api.v1.notifications.$get({ query: { limit: '1' } }, { init: { signal } }))).meta.unread_count,
		refetchInterval: UNREAD_EVERY_MS,
	});
	const unread = data ?? 0;
	return (
		<Link to="/notifications" className="button bell" aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}>
			<svg
				width="16"
				height="16"
				viewBox="0 0 16 16"
				fill="none"
				stroke="currentColor"
				strokeWidth="1.5"
				strokeLinecap="round"
				strokeLinejoin="round"
				aria-hidden="true"
			>
				<path d="M4 7a4 4 0 0 1 8 0c0 3 1.5 4.2 1.5 4.2h-11S4 10 4 7ZM6.6 13.6a1.5 1.5 0 0 0 2.8 0" />
			</svg>
			{unread > 0 && <b aria-hidden="true">{unread > 99 ? '99+' : unread}</b>}
		</Link>
	);
}
