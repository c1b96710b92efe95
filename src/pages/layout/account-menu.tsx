import { useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { answerOf, api } from '../api.ts';
import type { LateProps } from '../ui/late.tsx';
import { selectedTheme, chooseTheme, type Theme, THEMES } from '../ui/theme.ts';
import { useAction } from '../ui/use-action.ts';
import type { AccountLink } from './account-button.tsx';
import { meQuery } from './me.ts';

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

export function AccountMenu({ button, isOpenAtFirst, links }: LateProps & { links: readonly AccountLink[] }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const { basepath } = useRouter();
	const signOut = useAction({
		send: async () => {
			await answerOf(api.v1.auth['sign-out'].$post());
			// A full page load drops all data, so nothing is requested without a session.
			window.location.assign(`${basepath}/sign-in`);
			await new Promise(() => undefined);
		},
	});
	return (
		<MenuTrigger defaultOpen={isOpenAtFirst}>
			<Button {...button} />
			<Popover>
				<Menu>
					<MenuSection>
						<Header className="react-aria-Header wrap">{me.user.email}</Header>
						<MenuItem href={`${basepath}/account`}>Account and sessions</MenuItem>
						{links.map(({ href, name, isApart = false }) => (
							<MenuItem key={href} href={href} {...(isApart && { target: '_blank' })}>
								{name}
							</MenuItem>
						))}
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
