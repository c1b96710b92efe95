import { useSuspenseQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';
import { Late } from '../ui/late.tsx';
import { meQuery } from './me.ts';

export interface AccountLink {
	readonly href: string;
	readonly name: string;
	/** Opens in its own tab. */
	readonly isApart?: boolean;
}

const loadMenu = async () => (await import('./account-menu.tsx')).AccountMenu;

/** `links` come after the account's own page. */
export function AccountButton({ links }: { links: readonly AccountLink[] }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const content = (
		<>
			<Avatar name={me.user.name} />
			<span className="cut account">{me.user.name}</span>
			<ChevronsUpDown size={14} className="lucide account" />
		</>
	);
	return (
		<Late
			button={{ className: 'react-aria-Button plain whole', 'aria-label': `Account of ${me.user.name}`, children: content }}
			load={loadMenu}
			props={{ links }}
		/>
	);
}
