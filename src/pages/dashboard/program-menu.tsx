import { useSuspenseQuery } from '@tanstack/react-query';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { meQuery } from '../layout/me.ts';
import type { LateProps } from '../ui/late.tsx';
import { programsQuery } from './queries.ts';

const BASE = '/dashboard';

/** Programs of all workspaces. */
export function ProgramMenu({ button, isOpenAtFirst }: LateProps) {
	const { data: programs } = useSuspenseQuery(programsQuery);
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<MenuTrigger defaultOpen={isOpenAtFirst}>
			<Button {...button} />
			<Popover>
				<Menu aria-label="Programs">
					{me.workspaces.map((workspace) => (
						<MenuSection key={workspace.id}>
							<Header>{workspace.name}</Header>
							{programs.every(({ workspace_id }) => workspace_id !== workspace.id) && (
								<MenuItem href={`${BASE}/workspaces/${workspace.id}`}>No programs yet. Open the workspace</MenuItem>
							)}
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
