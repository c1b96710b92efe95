import './gate.css';
import { type ReactNode, useEffect } from 'react';
import { Logo } from './logo.tsx';

/** For pages that need no sign-in. */
export function Gate({ title, children }: { title: string; children: ReactNode }) {
	useEffect(() => {
		document.title = `${title} · Affiliate tracker`;
	}, [title]);
	return (
		<main className="gate">
			<section className="gate-form stack">
				<Logo />
				<h1>{title}</h1>
				{children}
			</section>
			<Story />
		</main>
	);
}

/** Decoration: one commission as an example, hidden from screen readers. sign-in/index.html has the same. */
function Story() {
	return (
		<div className="gate-story" aria-hidden="true">
			<div className="gate-card">
				<div className="gate-sum">
					<strong>$19.80</strong>
					<span>Paid</span>
				</div>
				<p>20% of a $99.00 sale, for the partner whose link brought it.</p>
				<ol>
					{STEPS.map(([what, when]) => (
						<li key={what}>
							{what} <time>{when}</time>
						</li>
					))}
				</ol>
			</div>
			<p className="gate-said">Every commission, exact to the cent, with the reason for it.</p>
		</div>
	);
}

const STEPS = [
	['Click on espresso-atlas', 'Oct 3'],
	['Customer signs up', 'Oct 4'],
	['First payment of $99.00', 'Oct 18'],
	['Hold for refunds ends', 'Nov 17'],
	['In payout 37', 'Nov 18'],
] as const;
