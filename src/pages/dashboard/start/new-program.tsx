import { Page } from '../../ui/page.tsx';

export function NewProgram() {
	return <Page title="New program">…</Page>;
}
