import { useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { answerOf, api } from '../api.ts';
import { selectedTheme, chooseTheme, type Theme, THEMES } from '../ui/theme.ts';
import { useAction } from '../ui/use-action.ts';
import { meQuery } from './me.ts';

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** `children` are additional items, such as links. */
export function AccountMenu({ children }: { children?: ReactNode }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const { basepath } = useRouter();
	const signOut = useAction({
		send: async () => {
			await answerOf(api.v1.auth['sign-out'].$post());
			// A full page load drops all loaded data, so nothing is requested without a session.
			window.location.assign(`${basepath}/sign-in`);
			await new Promise(() => undefined);
		},
	});
	return (
		<MenuTrigger>
			<Button aria-label={`Account of ${me.user.name}`}>
				<span className="cut account">{me.user.name}</span>
				<span aria-hidden="true">▾</span>
			</Button>
			<Popover>
				<Menu>
					<MenuSection>
						<Header className="react-aria-Header wrap">{me.user.email}</Header>
						<MenuItem href={`${basepath}/account`}>Account and sessions</MenuItem>
						{children}
					</MenuSection>
					<MenuSection
						selectionMode="single"
						disallowEmptySelection
						defaultSelectedKeys={[selectedTheme()]}
						onSelectionChange={(keys) => chooseTheme(THEMES.find((theme) => keys !== 'all' && keys.has(theme)) ?? 'system')}
					>
						<Header>Appearance</Header>
						{THEMES.map((theme) => (
							<MenuItem key={theme} id={theme}>
								{THEME_NAMES[theme]}
							</MenuItem>
						))}
					</MenuSection>
					<Separator />
					<MenuItem onAction={() => signOut.mutate()}>Sign out</MenuItem>
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}
