import { Link } from '@tanstack/react-router';

export function Logo() {
	return (
		<Link to="/" className="logo">
			<Mark />
			Affiliate tracker
		</Link>
	);
}

/** Inline, because a file would cost a request. The outlines and public/docs/icon.svg have the same drawing. */
function Mark() {
	return (
		<svg viewBox="0 0 32 32" aria-hidden="true">
			<rect width="32" height="32" rx="7" fill="#0b6e5c" />
			<path d="M8 21l6-7 4 4 6-8" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
		</svg>
	);
}
