import { Link } from '@tanstack/react-router';
import { type Notification, NotificationList } from '../../account/notification-list.tsx';

export function Notifications() {
	return (
		<NotificationList
			hint="Notifications appear here when a paid commission is refunded, when someone applies to one of your programs, or when a webhook is disabled."
			way={(notification) => <Way notification={notification} />}
		/>
	);
}

function Way({ notification: { program, detail } }: { notification: Notification }) {
	const params = { programId: String(program.id) };
	if (detail.commission_id !== undefined) {
		return (
			<Link to="/programs/$programId/commissions" params={params} search={{ open: String(detail.commission_id) }}>
				Commission #{detail.commission_id}
			</Link>
		);
	}
	if (detail.webhook_id !== undefined) {
		return (
			<Link to="/programs/$programId/settings/webhooks/$webhookId" params={{ ...params, webhookId: String(detail.webhook_id) }} search={{}}>
				The webhook
			</Link>
		);
	}
	if (detail.application_id === undefined) return null;
	return (
		<Link to="/programs/$programId/applications" params={params} search={{}}>
			Applications
		</Link>
	);
}
