import { Card } from '../../ui/page.tsx';

/** For partners who have earned nothing yet. */
export function FirstSteps() {
	return (
		<Card title="How you earn your first commission" isBoxed>
			<ol className="steps">
				<li>
					<strong>Copy your link.</strong> <span className="quiet">It is above, and only you have it.</span>
				</li>
				<li>
					<strong>Share it.</strong> <span className="quiet">Put it in a post, a video description or a newsletter.</span>
				</li>
				<li>
					<strong>Watch your clicks.</strong>{' '}
					<span className="quiet">They appear below within a minute. People who buy later still count for you.</span>
				</li>
			</ol>
		</Card>
	);
}
