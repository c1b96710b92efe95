import { useSuspenseQuery } from '@tanstack/react-query';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { membershipLabel } from '../labels/membership.tsx';
import { meQuery } from '../layout/me.ts';
import type { LateProps } from '../ui/late.tsx';

const BASE = '/portal';

/** The partner's programs in all workspaces. */
export function ProgramMenu({ button, isOpenAtFirst }: LateProps) {
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<MenuTrigger defaultOpen={isOpenAtFirst}>
			<Button {...button} />
			<Popover>
				<Menu aria-label="Programs">
					{me.partner_accounts.map((account) => (
						<MenuSection key={account.partner_id}>
							<Header>{account.workspace_name}</Header>
							{account.partner_programs.map(({ id, program, status }) => (
								<MenuItem key={id} id={id} href={`${BASE}/programs/${id}`} textValue={program.name}>
									<span className="cut">{program.name}</span>
									{status !== 'active' && <span className="quiet small">{membershipLabel(status)}</span>}
								</MenuItem>
							))}
						</MenuSection>
					))}
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}
