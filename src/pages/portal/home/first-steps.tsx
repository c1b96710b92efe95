import { Card } from '../../ui/page.tsx';

/** For partners who have earned nothing yet. */
export function FirstSteps() {
	return (
		<Card title="How you earn your first commission" isBoxed>
			<ol className="steps">
				<li>
					<strong>Copy your link.</strong> <span className="quiet">It stands above, and is yours alone.</span>
				</li>
				<li>
					<strong>Put it where people read you.</strong>{' '}
					<span className="quiet">A post, a video’s description, a newsletter: wherever you recommend something.</span>
				</li>
				<li>
					<strong>Watch the clicks come in.</strong>{' '}
					<span className="quiet">They are counted below within a minute. Who buys later still counts for you.</span>
				</li>
			</ol>
		</Card>
	);
}
