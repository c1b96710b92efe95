import { type ReactNode, useEffect } from 'react';

interface PageProps {
	readonly title: string;
	/** Before the title, such as an avatar. */
	readonly sign?: ReactNode;
	/** One quiet line under the title. */
	readonly under?: ReactNode;
	/** Next to the title. */
	readonly actions?: ReactNode;
	readonly children: ReactNode;
}

/** The title is also the window's. */
export function Page({ title, sign, under, actions, children }: PageProps) {
	useEffect(() => {
		document.title = `${title} · Affiliate tracker`;
	}, [title]);
	return (
		<>
			<div className="bar page-head">
				<div className="who">
					{sign}
					<div className="lines">
						<h1 className="wrap">{title}</h1>
						{under}
					</div>
				</div>
				{actions && <div className="actions">{actions}</div>}
			</div>
			{children}
		</>
	);
}

/** No title if the content explains itself. */
export function Card({
	title,
	actions,
	isFlush = false,
	isBoxed = false,
	children,
}: {
	title?: string;
	actions?: ReactNode;
	isFlush?: boolean;
	/** Only for what people take, fill in or pay. */
	isBoxed?: boolean;
	children: ReactNode;
}) {
	return (
		<section className={`card ${isFlush ? 'flush' : ''} ${isBoxed ? 'boxed' : ''}`} aria-label={title}>
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
