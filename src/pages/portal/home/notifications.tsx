import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Notification, NotificationList } from '../../account/notification-list.tsx';
import { meQuery } from '../../layout/me.ts';
import { membershipsOf } from '../memberships.ts';

export function Notifications() {
	return (
		<NotificationList
			hint="Your commissions, refunds that change them, and payouts appear here."
			way={(notification) => <Way notification={notification} />}
		/>
	);
}

/** Links to the commission, payout or postback. */
function Way({ notification: { kind, program, detail } }: { notification: Notification }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const membership = membershipsOf(me.partner_accounts).find((one) => one.program.id === program.id);
	if (!membership) return null;
	const params = { membershipId: String(membership.id) };
	if (typeof detail.commission_id === 'number') {
		return (
			<Link to="/programs/$membershipId/commissions" params={params} search={{ open: String(detail.commission_id) }}>
				Commission
			</Link>
		);
	}
	if (kind === 'commission_rejected') {
		return (
			<Link to="/programs/$membershipId/commissions" params={params} search={{ status: 'rejected' }}>
				Rejected commissions
			</Link>
		);
	}
	if (kind === 'postback_disabled') {
		return (
			<Link to="/programs/$membershipId/postback" params={params} search={{}}>
				Your postback
			</Link>
		);
	}
	if (typeof detail.payout_id !== 'number') return null;
	return (
		<Link to="/programs/$membershipId/payouts" params={params} search={{ open: String(detail.payout_id) }}>
			Payout
		</Link>
	);
}
