import './palette.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { Autocomplete, Dialog, Header, Input, Menu, MenuItem, MenuSection, Modal, ModalOverlay, SearchField } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { money } from '../../format.ts';
import { SECTIONS } from '../navigation.tsx';

interface Found {
	readonly id: string;
	readonly title: string;
	readonly note: string;
	readonly open: () => void;
}

interface Group {
	readonly id: string;
	readonly title: string;
	readonly items: readonly Found[];
}

const SHORTEST = 2;
const EACH = '5';

/** Goes to a page, a partner, a customer or a commission by its name, key or transaction. */
export function Palette({ programId, onClose }: { programId: string; onClose: () => void }) {
	const [text, setText] = useState('');
	const groups = useGroups(programId, useDeferredValue(text.trim()));
	return (
		<ModalOverlay className="react-aria-ModalOverlay palette" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
			<Modal>
				<Dialog aria-label="Search">
					<Autocomplete inputValue={text} onInputChange={setText}>
						<SearchField aria-label="Search partners, customers, transactions and pages" autoFocus>
							<Input placeholder="Search partners, customers, transactions, pages" />
						</SearchField>
						<Menu
							aria-label="Found"
							items={groups}
							onClose={onClose}
							renderEmptyState={() => (
								<p className="empty">Nothing is called like that. Transactions and customer keys are found by their whole name.</p>
							)}
						>
							{(group) => (
								<MenuSection id={group.id}>
									<Header>{group.title}</Header>
									{group.items.map(({ id, title, note, open }) => (
										<MenuItem key={id} id={id} textValue={title} onAction={open}>
											<span className="cut">{title}</span>
											<span className="quiet small cut">{note}</span>
										</MenuItem>
									))}
								</MenuSection>
							)}
						</Menu>
					</Autocomplete>
				</Dialog>
			</Modal>
		</ModalOverlay>
	);
}

function useGroups(programId: string, text: string): readonly Group[] {
	const isOn = text.length >= SHORTEST;
	const found = [
		usePages(programId, text),
		usePartners(programId, text, isOn),
		useCustomers(programId, text, isOn),
		useCommissions(programId, text, isOn),
	];
	return found.filter(({ items }) => items.length > 0);
}

function usePages(programId: string, text: string): Group {
	const navigate = useNavigate();
	const params = { programId };
	const pages: readonly (readonly [title: string, open: () => void])[] = [
		...SECTIONS.flatMap(({ pages: ofSection }) => ofSection.map(([title, to]) => [title, () => void navigate({ to, params })] as const)),
		['Keys', () => void navigate({ to: '/programs/$programId/settings/keys', params })],
		['Stripe', () => void navigate({ to: '/programs/$programId/settings/stripe', params })],
		['Team', () => void navigate({ to: '/programs/$programId/settings/team', params })],
		['Audit log', () => void navigate({ to: '/programs/$programId/settings/audit-log', params })],
		['Notifications', () => void navigate({ to: '/notifications' })],
		['Your account', () => void navigate({ to: '/account' })],
	];
	const items = pages
		.filter(([title]) => title.toLowerCase().includes(text.toLowerCase()))
		.map(([title, open]) => ({ id: `page ${title}`, title, note: '', open }));
	return { id: 'pages', title: 'Pages', items };
}

function usePartners(programId: string, search: string, enabled: boolean): Group {
	const navigate = useNavigate();
	const { data = [] } = useQuery({
		queryKey: ['palette', 'partners', programId, search],
		queryFn: async ({ signal }) =>
			(
				await answerOf(
					api.v1.programs[':id'].partners.$get({ param: { id: programId }, query: { search, limit: EACH } }, { init: { signal } }),
				)
			).data,
		enabled,
		placeholderData: keepPreviousData,
	});
	const items = data.map(({ id, name, email }) => ({
		id: `partner ${id}`,
		title: name,
		note: email,
		open: () => void navigate({ to: '/programs/$programId/partners/$partnerId', params: { programId, partnerId: String(id) } }),
	}));
	return { id: 'partners', title: 'Partners', items: enabled ? items : [] };
}

function useCustomers(programId: string, search: string, enabled: boolean): Group {
	const navigate = useNavigate();
	const { data = [] } = useQuery({
		queryKey: ['palette', 'customers', programId, search],
		queryFn: async ({ signal }) =>
			(
				await answerOf(
					api.v1.programs[':id'].customers.$get({ param: { id: programId }, query: { search, limit: EACH } }, { init: { signal } }),
				)
			).data,
		enabled,
		placeholderData: keepPreviousData,
	});
	const items = data.map(({ id, customer_key, email }) => ({
		id: `customer ${id}`,
		title: customer_key ?? email ?? `Customer ${id}`,
		note: email ?? '',
		open: () => void navigate({ to: '/programs/$programId/customers/$customerId', params: { programId, customerId: String(id) } }),
	}));
	return { id: 'customers', title: 'Customers', items: enabled ? items : [] };
}

function useCommissions(programId: string, search: string, enabled: boolean): Group {
	const navigate = useNavigate();
	const { data = [] } = useQuery({
		queryKey: ['palette', 'commissions', programId, search],
		queryFn: async ({ signal }) =>
			(
				await answerOf(
					api.v1.programs[':id'].commissions.$get({ param: { id: programId }, query: { search, limit: EACH } }, { init: { signal } }),
				)
			).data,
		enabled,
		placeholderData: keepPreviousData,
	});
	const items = data.map(({ id, sale, partner, amount_cents, currency, status }) => ({
		id: `commission ${id}`,
		title: sale.transaction_id,
		note: `${money(amount_cents, currency)} for ${partner.name}, ${status}`,
		open: () => void navigate({ to: '/programs/$programId/commissions', params: { programId }, search: { open: String(id) } }),
	}));
	return { id: 'commissions', title: 'Commissions', items: enabled ? items : [] };
}
