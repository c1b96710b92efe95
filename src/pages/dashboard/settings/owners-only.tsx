import type { ReactNode } from 'react';
import { Empty } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';

/** Explains why, if a member opens the URL of a page that they may not see. */
export function OwnersOnly({ title, what, children }: { title: string; what: string; children: ReactNode }) {
	if (children !== false) return children;
	return (
		<Page title={title}>
			<Card>
				<Empty title="You cannot view this page">{what}</Empty>
			</Card>
		</Page>
	);
}
