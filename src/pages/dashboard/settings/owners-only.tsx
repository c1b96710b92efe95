import type { ReactNode } from 'react';
import { Empty } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';

/** A page hidden from other members. If they open its address, it says why they cannot see it. */
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
