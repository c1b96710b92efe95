import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { RouterProvider } from 'react-aria-components';
import { Empty, Failed } from '../ui/loaded.tsx';

/** React Aria's links and menus use the router, except for links to the other entry. */
export function Root() {
	const { history, basepath } = useRouter();
	const go = (href: string) => (`${href}/`.startsWith(`${basepath}/`) ? history.push(href) : window.location.assign(href));
	return (
		<RouterProvider navigate={go}>
			<Outlet />
		</RouterProvider>
	);
}

export function NotFound() {
	return (
		<Empty title="Page not found">
			<Link to="/">Go to the start page</Link>
		</Empty>
	);
}

/** Shown if a page's data could not load. */
export function NotLoaded({ error }: { error: unknown }) {
	const router = useRouter();
	return (
		<>
			<h1 className="visually-hidden">This page cannot be shown</h1>
			<Failed error={error instanceof Error ? error : new Error(String(error))} retry={() => void router.invalidate()} />
		</>
	);
}
