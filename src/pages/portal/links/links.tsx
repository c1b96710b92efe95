import { Page } from '../../ui/page.tsx';

export function Links() {
	return <Page title="Links">{null}</Page>;
}
