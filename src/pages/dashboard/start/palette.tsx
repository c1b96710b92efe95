import './palette.css';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Autocomplete, Dialog, Header, Input, Menu, MenuItem, MenuSection, Modal, ModalOverlay, SearchField } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { money } from '../../format.ts';
import { SECTIONS } from '../navigation.tsx';
import { processorsQuery } from '../settings/processors-query.ts';

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
	/** These are for an earlier text: the answer for this one is not there yet. */
	readonly isLoading: boolean;
	/** Asks again what could not be answered. */
	readonly retry?: () => void;
}

const SHORTEST = 2;
const EACH = '5';
const FAILED = 'The search got no answer. Press Enter to try again.';
const NOTHING = 'Nothing is called like that. Transactions and customer keys are found by their whole name.';

/** Goes to a page, a partner, a customer or a commission by its name, key or transaction. */
export function Palette({ programId, onClose }: { programId: string; onClose: () => void }) {
	const [text, setText] = useState('');
	const all = useGroups(programId, text.trim());
	const menu = useRef<HTMLDivElement>(null);
	const { onKeyDownCapture } = useEnter(all, menu, onClose);
	const groups = all.filter(({ items }) => items.length > 0);
	return (
		<ModalOverlay className="react-aria-ModalOverlay palette" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
			<Modal>
				<Dialog aria-label="Search">
					<Autocomplete inputValue={text} onInputChange={setText}>
						<SearchField aria-label="Search partners, customers, transactions and pages" autoFocus>
							<Input placeholder="Search partners, customers, transactions, pages" onKeyDownCapture={onKeyDownCapture} />
						</SearchField>
						<Menu
							ref={menu}
							aria-label="Found"
							items={groups}
							onClose={onClose}
							renderEmptyState={() => <p className="empty">{emptyTextOf(all)}</p>}
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

function emptyTextOf(groups: readonly Group[]): string {
	if (groups.some(({ isLoading }) => isLoading)) return 'Searching…';
	return groups.some(({ retry }) => retry) ? FAILED : NOTHING;
}

/**
 * Enter opens what is marked, else the first that is found; who presses it before an answer is there is taken to the first once
 * all have come. The list's own Enter would not do: its mark comes some renderings after the items, and is lost where they
 * change meanwhile.
 */
function useEnter(groups: readonly Group[], menu: { readonly current: HTMLElement | null }, onClose: () => void) {
	const [isWaiting, setWaiting] = useState(false);
	const isLoading = groups.some((group) => group.isLoading);
	const open = (found: Found | undefined) => {
		if (!found) return;
		found.open();
		onClose();
	};

	useEffect(() => {
		if (!isWaiting || isLoading) return;
		setWaiting(false);
		open(groups.flatMap(({ items }) => items)[0]);
	});

	const onKeyDownCapture = (event: KeyboardEvent<HTMLInputElement>) => {
		setWaiting(false);
		if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
		event.preventDefault();
		event.stopPropagation();
		const marked = menu.current?.querySelector('[data-focused]')?.getAttribute('data-key');
		const found = groups.filter((group) => !group.isLoading).flatMap(({ items }) => items);
		const chosen = found.find(({ id }) => id === marked) ?? (event.currentTarget.value.trim() === '' ? undefined : found[0]);
		open(chosen);
		if (chosen) return;
		for (const { retry } of groups) retry?.();
		setWaiting(isLoading);
	};
	return { onKeyDownCapture };
}

function useGroups(programId: string, text: string): readonly Group[] {
	const isOn = text.length >= SHORTEST;
	return [
		usePages(programId, text),
		usePartners(programId, text, isOn),
		useCustomers(programId, text, isOn),
		useCommissions(programId, text, isOn),
	];
}

function usePages(programId: string, text: string): Group {
	const navigate = useNavigate();
	const params = { programId };
	const openProcessor = (processor: string) =>
		void navigate({ to: '/programs/$programId/settings/payments/$processor', params: { programId, processor } });
	const { data: processors = [] } = useQuery(processorsQuery(programId));
	const pages: readonly (readonly [title: string, open: () => void])[] = [
		...SECTIONS.flatMap(({ pages: ofSection }) => ofSection.map(([title, to]) => [title, () => void navigate({ to, params })] as const)),
		['Keys', () => void navigate({ to: '/programs/$programId/settings/keys', params })],
		['Payment processors', () => void navigate({ to: '/programs/$programId/settings/payments', params })],
		...processors.map(({ processor, title }) => [title, () => openProcessor(processor)] as const),
		['Team', () => void navigate({ to: '/programs/$programId/settings/team', params })],
		['Audit log', () => void navigate({ to: '/programs/$programId/settings/audit-log', params })],
		['Notifications', () => void navigate({ to: '/notifications' })],
		['Your account', () => void navigate({ to: '/account' })],
	];
	const items = pages
		.filter(([title]) => title.toLowerCase().includes(text.toLowerCase()))
		.map(([title, open]) => ({ id: `page ${title}`, title, note: '', open }));
	return { id: 'pages', title: 'Pages', items, isLoading: false };
}

function usePartners(programId: string, search: string, enabled: boolean): Group {
	const navigate = useNavigate();
	const answer = useQuery({
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
	const items = (answer.data ?? []).map(({ id, name, email }) => ({
		id: `partner ${id}`,
		title: name,
		note: email,
		open: () => void navigate({ to: '/programs/$programId/partners/$partnerId', params: { programId, partnerId: String(id) } }),
	}));
	return { id: 'partners', title: 'Partners', items: enabled ? items : [], ...stateOf(answer, enabled) };
}

function useCustomers(programId: string, search: string, enabled: boolean): Group {
	const navigate = useNavigate();
	const answer = useQuery({
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
	const items = (answer.data ?? []).map(({ id, customer_key, email }) => ({
		id: `customer ${id}`,
		title: customer_key ?? email ?? `Customer ${id}`,
		note: email ?? '',
		open: () => void navigate({ to: '/programs/$programId/customers/$customerId', params: { programId, customerId: String(id) } }),
	}));
	return { id: 'customers', title: 'Customers', items: enabled ? items : [], ...stateOf(answer, enabled) };
}

function useCommissions(programId: string, search: string, enabled: boolean): Group {
	const navigate = useNavigate();
	const answer = useQuery({
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
	const items = (answer.data ?? []).map(({ id, sale, partner, amount_cents, currency, status }) => ({
		id: `commission ${id}`,
		title: sale.transaction_id,
		note: `${money(amount_cents, currency)} for ${partner.name}, ${status}`,
		open: () => void navigate({ to: '/programs/$programId/commissions', params: { programId }, search: { open: String(id) } }),
	}));
	return { id: 'commissions', title: 'Commissions', items: enabled ? items : [], ...stateOf(answer, enabled) };
}

function stateOf({ isFetching, isPending, isPlaceholderData, isError, refetch }: UseQueryResult, isOn: boolean) {
	const isLoading = isOn && isFetching && (isPending || isPlaceholderData || isError);
	return { isLoading, ...(isOn && isError && !isFetching && { retry: () => void refetch() }) };
}
