import { type ReactNode, useEffect } from 'react';
import { Logo } from './logo.tsx';

/** A page in front of all that is for who is signed in. */
export function Gate({ title, children }: { title: string; children: ReactNode }) {
	useEffect(() => {
		document.title = `${title} · Affiliate tracker`;
	}, [title]);
	return (
		<main className="gate">
			<Logo />
			<section className="card stack">
				<h1>{title}</h1>
				{children}
			</section>
		</main>
	);
}
