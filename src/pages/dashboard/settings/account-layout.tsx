import { Link, Outlet } from '@tanstack/react-router';
import { Tabs } from '../../layout/tabs.tsx';

export function Account() {
	return (
		<>
			<Tabs label="Account">
				<Link to="/account" activeOptions={{ exact: true }}>
					Account
				</Link>
				<Link to="/account/sessions" search={{}} activeOptions={{ includeSearch: false }}>
					Sessions
				</Link>
				<Link to="/account/mail">Email</Link>
				<Link to="/account/history" search={{}} activeOptions={{ includeSearch: false }}>
					History
				</Link>
			</Tabs>
			<Outlet />
		</>
	);
}
