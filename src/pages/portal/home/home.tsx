import { Card, Page } from '../../ui/page.tsx';
import { Copy } from '../../ui/small.tsx';
import { useMembership } from '../memberships.ts';

export function Home() {
	const { program, membership } = useMembership();
	const url = membership.default_link?.url;
	return (
		<Page title={program.name}>
			<Card title="Your link">{url ? <Copy label="your link" text={url} /> : <p>The program has no page to send people to yet.</p>}</Card>
		</Page>
	);
}
