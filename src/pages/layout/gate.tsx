import { type ReactNode, useEffect } from 'react';
import { Logo } from './logo.tsx';

/** The layout for pages that need no sign-in. */
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
