import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import {
	Button,
	Dialog,
	DialogTrigger,
	Header,
	Menu,
	MenuItem,
	MenuSection,
	MenuTrigger,
	Modal,
	ModalOverlay,
	Popover,
	RouterProvider,
	Separator,
} from 'react-aria-components';
import { answerOf, api } from '../api.ts';
import { Empty, Failed } from '../ui/loaded.tsx';
import { chosenTheme, chooseTheme, type Theme, THEMES } from '../ui/theme.ts';
import { useAction } from '../ui/use-action.ts';
import { Navigation } from './navigation.tsx';
import { meQuery, programsQuery } from './queries.ts';

/** Where the dashboard is, for what makes its own addresses. */
const BASE = '/dashboard';

const Palette = lazy(async () => ({ default: (await import('./start/palette.tsx')).Palette }));

/** Every page is in it. React Aria's links and menus go by the router from here on. */
export function Root() {
	const { history } = useRouter();
	return (
		<RouterProvider navigate={(href) => history.push(href)}>
			<Outlet />
		</RouterProvider>
	);
}

/** The navigation around each page of who is signed in. */
export function Shell() {
	const { programId } = useParams({ strict: false });
	useEffect(() => {
		if (programId !== undefined) localStorage.setItem('program', programId);
	}, [programId]);
	return (
		<div className="shell">
			<a className="button skip" href="#content">
				Skip to the content
			</a>
			<aside className="side" aria-label="Programs">
				<Side programId={programId} />
			</aside>
			<div className="body">
				<header className="top">
					<NarrowMenu>
						<Side programId={programId} />
					</NarrowMenu>
					<div className="row">
						{programId !== undefined && <SearchButton programId={programId} />}
						<Bell />
						<AccountMenu />
					</div>
				</header>
				<div>
					<Offline />
					<main id="content" tabIndex={-1}>
						<Outlet />
					</main>
				</div>
			</div>
		</div>
	);
}

function Side({ programId }: { programId: string | undefined }) {
	return (
		<>
			<Logo />
			<ProgramMenu programId={programId} />
			{programId !== undefined && <Navigation programId={programId} />}
		</>
	);
}

export function Logo() {
	return (
		<Link to="/" className="logo">
			<img src="/docs/icon.svg" alt="" />
			Affiliate tracker
		</Link>
	);
}

/** On a narrow screen the navigation opens over the page, and closes with each step. */
function NarrowMenu({ children }: { children: ReactNode }) {
	const path = useRouterState({ select: ({ location }) => location.pathname });
	return (
		<DialogTrigger key={path}>
			<Button className="react-aria-Button only-narrow" aria-label="Navigation">
				☰
			</Button>
			<ModalOverlay className="react-aria-ModalOverlay menu" isDismissable>
				<Modal>
					<Dialog aria-label="Navigation">{children}</Dialog>
				</Modal>
			</ModalOverlay>
		</DialogTrigger>
	);
}

function ProgramMenu({ programId }: { programId: string | undefined }) {
	const { data: programs } = useSuspenseQuery(programsQuery);
	const { data: me } = useSuspenseQuery(meQuery);
	const shown = programs.find(({ id }) => String(id) === programId);
	return (
		<MenuTrigger>
			<Button className="react-aria-Button program">
				<span className="cut">{shown?.name ?? 'Programs'}</span>
				<span aria-hidden="true">▾</span>
			</Button>
			<Popover>
				<Menu aria-label="Programs">
					{me.workspaces.map((workspace) => (
						<MenuSection key={workspace.id}>
							<Header>{workspace.name}</Header>
							{programs
								.filter(({ workspace_id }) => workspace_id === workspace.id)
								.map(({ id, name }) => (
									<MenuItem key={id} id={id} href={`${BASE}/programs/${id}`}>
										{name}
									</MenuItem>
								))}
						</MenuSection>
					))}
					<Separator />
					<MenuItem href={`${BASE}/programs/new`}>New program</MenuItem>
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}

function SearchButton({ programId }: { programId: string }) {
	const [isOpen, setOpen] = useState(false);
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
			event.preventDefault();
			setOpen(true);
		};
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, []);
	return (
		<>
			<Button onPress={() => setOpen(true)}>
				Search <kbd aria-hidden="true">Ctrl K</kbd>
			</Button>
			<Suspense>{isOpen && <Palette programId={programId} onClose={() => setOpen(false)} />}</Suspense>
		</>
	);
}

const UNREAD_EVERY_MS = 60_000;

function Bell() {
	const { data } = useQuery({
		queryKey: ['notifications', 'unread'],
		queryFn: async ({ signal }) =>
			(await answerOf(api.v1.notifications.$get({ query: { limit: '1' } }, { init: { signal } }))).meta.unread_count,
		refetchInterval: UNREAD_EVERY_MS,
	});
	const unread = data ?? 0;
	return (
		<Link to="/notifications" className="button bell" aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}>
			<svg
				width="16"
				height="16"
				viewBox="0 0 16 16"
				fill="none"
				stroke="currentColor"
				strokeWidth="1.5"
				strokeLinecap="round"
				strokeLinejoin="round"
				aria-hidden="true"
			>
				<path d="M4 7a4 4 0 0 1 8 0c0 3 1.5 4.2 1.5 4.2h-11S4 10 4 7ZM6.6 13.6a1.5 1.5 0 0 0 2.8 0" />
			</svg>
			{unread > 0 && <b aria-hidden="true">{unread > 99 ? '99+' : unread}</b>}
		</Link>
	);
}

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

function AccountMenu() {
	const { data: me } = useSuspenseQuery(meQuery);
	const signOut = useAction({
		send: async () => {
			await answerOf(api.v1.auth['sign-out'].$post());
			// A whole new page: nothing that was loaded stays behind, and nothing is asked for without a session until it is there.
			window.location.assign(`${BASE}/sign-in`);
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
						<MenuItem href={`${BASE}/account`}>Account and sessions</MenuItem>
						<MenuItem href="/docs/" target="_blank">
							Documentation
						</MenuItem>
					</MenuSection>
					<MenuSection
						selectionMode="single"
						disallowEmptySelection
						defaultSelectedKeys={[chosenTheme()]}
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

function Offline() {
	const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
	return (
		<div role="status">
			{!isOnline && <p className="offline">You are offline. What you see is from before, and nothing that you send now arrives.</p>}
		</div>
	);
}

function subscribeToNetwork(changed: () => void): () => void {
	window.addEventListener('online', changed);
	window.addEventListener('offline', changed);
	return () => {
		window.removeEventListener('online', changed);
		window.removeEventListener('offline', changed);
	};
}

export function NotFound() {
	return (
		<Empty title="There is no such page">
			<Link to="/">To the overview</Link>
		</Empty>
	);
}

/** What a page begins with could not be loaded. */
export function NotLoaded({ error }: { error: unknown }) {
	const router = useRouter();
	return <Failed error={error instanceof Error ? error : new Error(String(error))} retry={() => void router.invalidate()} />;
}
