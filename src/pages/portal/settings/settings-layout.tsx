import { Link, Outlet } from '@tanstack/react-router';
import { Tabs } from '../../layout/tabs.tsx';

export function SettingsLayout() {
	return (
		<>
			<Tabs label="Settings">
				<Link to="/account/payout-details">Payout details</Link>
				<Link to="/account" activeOptions={{ exact: true }}>
					Account
				</Link>
				<Link to="/account/mail">Mail</Link>
				<Link to="/account/sessions" search={{}} activeOptions={{ includeSearch: false }}>
					Sessions
				</Link>
				<Link to="/account/history" search={{}} activeOptions={{ includeSearch: false }}>
					History
				</Link>
			</Tabs>
			<Outlet />
		</>
	);
}
