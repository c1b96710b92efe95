import { Page } from '../../ui/page.tsx';

export function Commissions() {
	return <Page title="Commissions">{null}</Page>;
}
