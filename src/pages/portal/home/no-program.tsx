import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../../layout/me.ts';
import { Card, Page } from '../../ui/page.tsx';

/** For signed-in people who are not partners of any program. */
export function NoProgram() {
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<Page title="Partner portal">
			<Card title="You are not a partner of any program yet" isBoxed>
				<div className="stack">
					<p>
						If someone invited you, open the link in the invitation while you are signed in as{' '}
						<strong className="wrap">{me.user.email}</strong>. It works once, and only until the day that stands in it: ask for another one
						where it does not work any more.
					</p>
					<p>To apply, ask the company whose products you recommend for the address of its partner program.</p>
					{me.workspaces.length > 0 && (
						<p>
							If you run a program, go to the <a href="/dashboard">dashboard</a>.
						</p>
					)}
				</div>
			</Card>
		</Page>
	);
}
