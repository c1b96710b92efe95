import { Badge } from '../ui/small.tsx';
import { CommissionBadge, type CommissionState } from '../labels/commission.tsx';

/** If the payout failed, that is shown instead; the next payout includes the amount. */
export function StatusBadge({ status, payout_failed }: { status: CommissionState; payout_failed: boolean }) {
	return status === 'paid' && payout_failed ? <Badge tone="warn">Payout failed</Badge> : <CommissionBadge status={status} />;
}
