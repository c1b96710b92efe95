import './home.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useMembership } from '../memberships.ts';
import { DeepLink } from './deep-link.tsx';
import { Earnings } from './earnings.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LinkToCopy } from './link-to-copy.tsx';
import { Recent } from './recent.tsx';
import { recentQuery } from './recent-commissions.ts';
import { Terms } from './terms.tsx';

/** The link to copy comes first, then the earnings and when they are paid. */
export function Home() {
	const { membershipId, program, membership, status, isArchived } = useMembership();
	const recent = useQuery(recentQuery(membershipId));
	const hasLink = program.domain !== null && Boolean(membership.default_link?.url);
	const isNew = status === 'active' && !isArchived && hasLink && recent.data?.length === 0;
	return (
		<Page title={program.name}>
			<Notes />
			{status === 'active' && !isArchived && <YourLink />}
			<div className="columns">
				{isNew && <FirstSteps />}
				<Earnings />
				{!isNew && <Loaded query={recent}>{(commissions) => <Recent commissions={commissions} />}</Loaded>}
			</div>
			{status !== 'ended' && <Figures />}
		</Page>
	);
}

/** Problems that keep the partner from earning or being paid. */
function Notes() {
	const { status, program, membership, isArchived } = useMembership();
	const isOwed = Object.values(membership.balances).some(({ available, pending }) => available > 0 || pending > 0);
	return (
		<>
			{status === 'suspended' && (
				<p className="note warn">
					<strong>The program has suspended you.</strong> Your links earn nothing for now. You keep what you have earned.
				</p>
			)}
			{status === 'ended' && (
				<p className="note warn">
					<strong>You are no longer a partner of this program.</strong> You can still see what you earned.
				</p>
			)}
			{status !== 'ended' && isArchived && (
				<p className="note warn">
					<strong>The program is archived.</strong> Your links no longer count clicks and sales. What you have earned will still be paid.
				</p>
			)}
			{status === 'active' && !program.active && !isArchived && (
				<p className="note warn">
					<strong>The program is paused.</strong> Your links earn nothing until it resumes.
				</p>
			)}
			{membership.payout_details === null && (status === 'active' || isOwed) && <PayoutNote />}
		</>
	);
}

function PayoutNote() {
	return (
		<p className="note">
			<strong>How do you want to be paid?</strong> The program needs your payout details to pay you.{' '}
			<Link to="/account/payout-details">Add payout details</Link>
		</p>
	);
}

function YourLink() {
	const { membershipId, membership, program } = useMembership();
	const link = membership.default_link;
	if (!link?.url || program.domain === null) {
		return (
			<Card title="Your link" isBoxed>
				<p className="quiet">There is no link yet, because the program has not set its website.</p>
			</Card>
		);
	}
	return (
		<Card title="Your link" isBoxed>
			<div className="stack">
				<LinkToCopy name="your link" url={link.url} program={program.name} />
				<Terms />
				<DeepLink membershipId={membershipId} program={program} domain={program.domain} code={link.short_link} />
			</div>
		</Card>
	);
}
