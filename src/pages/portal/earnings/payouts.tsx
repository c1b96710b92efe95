import { Page } from '../../ui/page.tsx';

export function Payouts() {
	return <Page title="Payouts">{null}</Page>;
}
