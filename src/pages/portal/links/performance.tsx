import { Page } from '../../ui/page.tsx';

export function Performance() {
	return <Page title="Performance">{null}</Page>;
}
