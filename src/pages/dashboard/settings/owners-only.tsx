import type { ReactNode } from 'react';
import { Empty } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';

/** A part that its tab is not offered for to others; who knows its address is told why it is empty. */
export function OwnersOnly({ title, what, children }: { title: string; what: string; children: ReactNode }) {
	if (children !== false) return children;
	return (
		<Page title={title}>
			<Card>
				<Empty title="This is for others">{what}</Empty>
			</Card>
		</Page>
	);
}
