import { Page } from '../../ui/page.tsx';

export function PayoutDetails() {
	return <Page title="Payout details">{null}</Page>;
}
