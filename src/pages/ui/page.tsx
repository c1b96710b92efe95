import { type ReactNode, useEffect } from 'react';

interface PageProps {
	readonly title: string;
	/** Actions next to the title. */
	readonly actions?: ReactNode;
	readonly children: ReactNode;
}

/** A page with its title, which is also the window's title. */
export function Page({ title, actions, children }: PageProps) {
	useEffect(() => {
		document.title = `${title} · Affiliate tracker`;
	}, [title]);
	return (
		<>
			<div className="bar">
				<h1 className="wrap">{title}</h1>
				{actions && <div className="actions">{actions}</div>}
			</div>
			{children}
		</>
	);
}

/** A block of a page. It has no title if its content explains itself. */
export function Card({
	title,
	actions,
	isFlush = false,
	children,
}: {
	title?: string;
	actions?: ReactNode;
	isFlush?: boolean;
	children: ReactNode;
}) {
	return (
		<section className={`card ${isFlush ? 'flush' : ''}`} aria-label={title}>
			{(title ?? actions) && (
				<header>
					{title && <h2>{title}</h2>}
					{actions && <div className="actions">{actions}</div>}
				</header>
			)}
			{children}
		</section>
	);
}
