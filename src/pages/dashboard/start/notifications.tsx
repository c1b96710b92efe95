import { Link } from '@tanstack/react-router';
import { type Notification, NotificationList } from '../../account/notification-list.tsx';

export function Notifications() {
	return (
		<NotificationList
			told="Refunds of commissions that were paid already, and who applies to your programs, are told here."
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
	if (detail.application_id === undefined) return null;
	return (
		<Link to="/programs/$programId/applications" params={params} search={{}}>
			Applications
		</Link>
	);
}
