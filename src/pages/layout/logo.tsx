import { Link } from '@tanstack/react-router';

export function Logo() {
	return (
		<Link to="/" className="logo">
			<img src="/docs/icon.svg" alt="" />
			Affiliate tracker
		</Link>
	);
}
