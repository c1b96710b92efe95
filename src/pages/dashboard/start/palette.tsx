import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Banknote, FlaskConical, Search as SearchIcon, UserPlus } from 'lucide-react';
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Autocomplete, Dialog, Header, Input, Menu, MenuItem, MenuSection, Modal, ModalOverlay, SearchField } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { money } from '../../format.ts';
import { useAction } from '../../ui/use-action.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { SECTIONS } from '../navigation.tsx';
import { processorsQuery } from '../settings/processors/processors-query.ts';
import { useProgram } from '../use-program.ts';

interface Found {
	readonly id: string;
	readonly title: string;
	readonly note: string;
	readonly icon?: ComponentType<{ size: number }>;
	readonly open: () => void;
}

interface Group {
	readonly id: string;
	readonly title: string;
	readonly items: readonly Found[];
}

interface Search {
	readonly groups: readonly Group[];
	/** The groups still match the previous search text. */
	readonly isLoading: boolean;
	/** Retries failed searches. */
	readonly retry?: () => void;
}

const SHORTEST = 2;
const EACH = '5';
const FAILED = 'The search failed. Press Enter to try again.';
const NOTHING =
	'Nothing found. You can search for any part of the name of a partner, link or coupon, or for the start of a customer or transaction id.';

export interface PaletteProps {
	/** The field's name for screen readers. */
	readonly label: string;
	readonly programId: string;
	readonly text: string;
	readonly onChange: (text: string) => void;
	/** Whether Enter was pressed before the palette had loaded. */
	readonly isEntered: boolean;
	readonly onAddPartner: () => void;
	readonly onClose: () => void;
}

/** Opens a page, partner, link, coupon, customer or commission, or starts an action. */
export function Palette({ label, programId, text, onChange, isEntered, onAddPartner, onClose }: PaletteProps) {
	const actions = useActions(programId, text.trim(), onAddPartner);
	const pages = usePages(programId, text.trim());
	const search = useSearch(programId, text.trim());
	const menu = useRef<HTMLDivElement>(null);
	// Who types "payouts" wants the page; the actions are first only while nothing is typed.
	const fixed = text.trim() === '' ? [actions, pages] : [pages, actions];
	const { onKeyDownCapture } = useEnter({ fixed, search, menu, isEntered, onClose });
	const groups = [...fixed, ...search.groups].filter(({ items }) => items.length > 0);
	return (
		<ModalOverlay className="react-aria-ModalOverlay palette" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
			<Modal>
				<Dialog aria-label="Search">
					<Autocomplete inputValue={text} onInputChange={onChange}>
						<SearchField aria-label={label} autoFocus>
							<SearchIcon size={16} className="lucide search-sign" />
							<Input placeholder="Partner, link, coupon, customer, transaction, page or action" onKeyDownCapture={onKeyDownCapture} />
						</SearchField>
						<Menu
							ref={menu}
							aria-label="Results"
							items={groups}
							onClose={onClose}
							renderEmptyState={() => <p className="empty">{emptyTextOf(search)}</p>}
						>
							{(group) => (
								<MenuSection id={group.id}>
									<Header>{group.title}</Header>
									{group.items.map(({ id, title, note, icon: Icon, open }) => (
										<MenuItem key={id} id={id} textValue={title} onAction={open}>
											{Icon && <Icon size={16} />}
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

function emptyTextOf({ isLoading, retry }: Search): string {
	if (isLoading) return 'Searching…';
	return retry ? FAILED : NOTHING;
}

interface EnterProps {
	/** The groups that need no search. */
	readonly fixed: readonly Group[];
	readonly search: Search;
	readonly menu: { readonly current: HTMLElement | null };
	readonly isEntered: boolean;
	readonly onClose: () => void;
}

/**
 * Enter opens the highlighted item, or the first one; while results are loading, it opens the item as soon as they arrive. The list's own
 * Enter handler fails here, because its highlight lags behind the items and is lost when they change.
 */
function useEnter({ fixed, search, menu, isEntered, onClose }: EnterProps) {
	/** The item that was highlighted when Enter was pressed. */
	const [awaited, setAwaited] = useState<{ readonly marked: string | null } | undefined>(isEntered ? { marked: null } : undefined);
	const found = [...fixed, ...(search.isLoading ? [] : search.groups)].flatMap(({ items }) => items);
	const openOneOf = (marked: string | null): boolean => {
		const selected = found.find(({ id }) => id === marked) ?? found[0];
		if (!selected) return false;
		selected.open();
		onClose();
		return true;
	};

	useEffect(() => {
		if (!awaited || search.isLoading) return;
		setAwaited(undefined);
		openOneOf(awaited.marked);
	});

	const onKeyDownCapture = (event: KeyboardEvent<HTMLInputElement>) => {
		setAwaited(undefined);
		if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
		event.preventDefault();
		event.stopPropagation();
		const marked = menu.current?.querySelector('[data-focused]')?.getAttribute('data-key') ?? null;
		const isNothingAsked = marked === null && event.currentTarget.value.trim() === '';
		const isOfEarlierText = search.isLoading && search.groups.some(({ items }) => items.some(({ id }) => id === marked));
		if (isNothingAsked || (!isOfEarlierText && openOneOf(marked))) return;
		search.retry?.();
		if (search.isLoading) setAwaited({ marked });
	};
	return { onKeyDownCapture };
}

/** What the member may do from anywhere. */
function useActions(programId: string, text: string, onAddPartner: () => void): Group {
	const navigate = useNavigate();
	const { program, can } = useProgram();
	const params = { programId };
	const sendTest = useAction({
		send: () => answerOf(api.v1.programs[':id']['test-chain'].$post({ param: { id: programId }, json: {} })),
		successMessage: ({ data }) => (data.ok ? 'A test click, sign-up, sale and refund were sent' : undefined),
		// The set-up says which step was refused, and why.
		onDone: ({ data }) => {
			if (!data.ok) void navigate({ to: '/programs/$programId/setup', params });
		},
	});
	const actions: readonly Found[] = [
		{ id: 'do add', title: 'Add a partner', note: '', icon: UserPlus, open: onAddPartner },
		{
			id: 'do pay',
			title: 'Create payouts',
			note: '',
			icon: Banknote,
			open: () => void navigate({ to: '/programs/$programId/payouts', params }),
		},
		{ id: 'do test', title: 'Send test events', note: '', icon: FlaskConical, open: () => sendTest.mutate() },
	];
	const isAllowed = can('admin') && program.archived_at === null;
	const items = isAllowed ? actions.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase())) : [];
	return { id: 'actions', title: 'Actions', items };
}

function usePages(programId: string, text: string): Group {
	const navigate = useNavigate();
	const params = { programId };
	const openProcessor = (processor: string) =>
		void navigate({ to: '/programs/$programId/settings/payments/$processor', params: { programId, processor } });
	const { data: processors = [] } = useQuery(processorsQuery(programId));
	const pages: readonly (readonly [title: string, open: () => void, icon?: Found['icon']])[] = [
		...SECTIONS.flatMap(({ pages: ofSection }) =>
			ofSection.map(([title, to, icon]) => [title, () => void navigate({ to, params }), icon] as const),
		),
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
		.map(([title, open, icon]) => ({ id: `page ${title}`, title, note: '', open, ...(icon && { icon }) }));
	return { id: 'pages', title: 'Pages', items };
}

/** Sends all searches at once and shows their results together, so that no late result appears above a highlighted one. */
function useSearch(programId: string, typed: string): Search {
	const text = useDebounced(typed);
	const navigate = useNavigate();
	const isOn = typed.length >= SHORTEST;
	const { data, isFetching, isPlaceholderData, isPending, isError, refetch } = useQuery({
		queryKey: ['palette', programId, text],
		queryFn: ({ signal }) => ask(programId, text, signal),
		enabled: text.length >= SHORTEST,
		placeholderData: keepPreviousData,
	});
	const isLoading = isOn && (text !== typed || (isFetching && (isPending || isPlaceholderData || isError)));
	const retry = isOn && isError && !isFetching && text === typed ? { retry: () => void refetch() } : {};
	return { groups: isOn && data ? groupsOf(data, programId, navigate) : [], isLoading, ...retry };
}

function groupsOf(data: Awaited<ReturnType<typeof ask>>, programId: string, navigate: ReturnType<typeof useNavigate>): Group[] {
	const params = { programId };
	const partners = data.partners.map(({ id, name, email }) => ({
		id: `partner ${id}`,
		title: name,
		note: email,
		open: () => void navigate({ to: '/programs/$programId/partners/$partnerId', params: { programId, partnerId: String(id) } }),
	}));
	const links = data.links.map(({ id, short_link, partner }) => ({
		id: `link ${id}`,
		title: short_link,
		note: partner?.name ?? '',
		open: () => void navigate({ to: '/programs/$programId/links', params, search: { search: short_link, opened: String(id) } }),
	}));
	const coupons = data.coupons.map(({ id, code, partner }) => ({
		id: `coupon ${id}`,
		title: code,
		note: partner.name,
		open: () => void navigate({ to: '/programs/$programId/coupons', params, search: { search: code } }),
	}));
	const customers = data.customers.map(({ id, customer_key, email }) => ({
		id: `customer ${id}`,
		title: customer_key ?? email ?? `Customer ${id}`,
		note: email ?? '',
		open: () => void navigate({ to: '/programs/$programId/customers/$customerId', params: { programId, customerId: String(id) } }),
	}));
	const commissions = data.commissions.map(({ id, sale, partner, amount_cents, currency, status }) => ({
		id: `commission ${id}`,
		title: sale.transaction_id,
		note: `${money(amount_cents, currency)} for ${partner.name}, ${status}`,
		open: () => void navigate({ to: '/programs/$programId/commissions', params, search: { open: String(id) } }),
	}));
	return [
		{ id: 'partners', title: 'Partners', items: partners },
		{ id: 'links', title: 'Links', items: links },
		{ id: 'coupons', title: 'Coupons', items: coupons },
		{ id: 'customers', title: 'Customers', items: customers },
		{ id: 'commissions', title: 'Commissions', items: commissions },
	];
}

async function ask(programId: string, search: string, signal: AbortSignal) {
	const { partners, links, coupons, customers, commissions } = api.v1.programs[':id'];
	const request = { param: { id: programId }, query: { search, limit: EACH } };
	const [ofPartners, ofLinks, ofCoupons, ofCustomers, ofCommissions] = await Promise.all([
		answerOf(partners.$get(request, { init: { signal } })),
		answerOf(links.$get(request, { init: { signal } })),
		answerOf(coupons.$get(request, { init: { signal } })),
		answerOf(customers.$get(request, { init: { signal } })),
		answerOf(commissions.$get(request, { init: { signal } })),
	]);
	return {
		partners: ofPartners.data,
		links: ofLinks.data,
		coupons: ofCoupons.data,
		customers: ofCustomers.data,
		commissions: ofCommissions.data,
	};
}
