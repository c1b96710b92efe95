import { Page } from '../../ui/page.tsx';

export function Customer() {
	return <Page title="Customer">…</Page>;
}
