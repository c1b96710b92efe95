import './palette.css';
import { Search } from 'lucide-react';
import { type ComponentType, type KeyboardEvent as KeyPress, lazy, Suspense, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { usePageShown } from '../ui/late.tsx';
import { toast } from '../ui/toasts.tsx';
import type { PaletteProps } from './start/palette.tsx';

const AddPartnerDialog = lazy(async () => ({ default: (await import('./partners/add-partner.tsx')).AddPartnerDialog }));

const SEARCH_LABEL = 'Search partners, links, coupons, customers, transactions, pages and actions';

/** Ctrl K also opens the command palette. */
export function SearchButton({ programId }: { programId: string }) {
	const [isOpen, setOpen] = useState(false);
	const [isAdding, setAdding] = useState(false);
	const [text, setText] = useState('');
	const [isEntered, setEntered] = useState(false);
	const close = () => {
		setOpen(false);
		setText('');
		setEntered(false);
	};
	const Palette = usePalette(isOpen, close);
	useOpeningKey(() => setOpen(true));
	useStrayKeys(isOpen, (character) => setText((typed) => typed + character));
	const shared = { text, onChange: setText, onClose: close };
	return (
		<>
			<Button className="react-aria-Button plain search-button" onPress={() => setOpen(true)}>
				<Search size={16} /> <span>Search</span> <kbd aria-hidden="true">Ctrl K</kbd>
			</Button>
			{isOpen &&
				(Palette ? (
					<Palette {...shared} label={SEARCH_LABEL} programId={programId} isEntered={isEntered} onAddPartner={() => setAdding(true)} />
				) : (
					<PaletteField {...shared} onEnter={() => setEntered(text.trim() !== '')} />
				))}
			<Suspense>{isAdding && <AddPartnerDialog onClose={() => setAdding(false)} />}</Suspense>
		</>
	);
}

/** Loads the palette once the page is shown, or when somebody opens it. */
function usePalette(isOpen: boolean, giveUp: () => void): ComponentType<PaletteProps> | undefined {
	const isWanted = usePageShown() || isOpen;
	const [Palette, setPalette] = useState<ComponentType<PaletteProps>>();
	useEffect(() => {
		if (!isWanted || Palette) return;
		import('./start/palette.tsx').then(
			(loaded) => setPalette(() => loaded.Palette),
			() => {
				if (!isOpen) return;
				giveUp();
				toast({ title: 'The search could not be loaded', text: 'Check your connection, then open the search again.', isError: true });
			},
		);
		// Opening it again tries again if the network failed.
	}, [isWanted, isOpen]);
	return Palette;
}

function useOpeningKey(open: () => void): void {
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
			event.preventDefault();
			open();
		};
		document.addEventListener('keydown', press);
		return () => document.removeEventListener('keydown', press);
	}, []);
}

/** While the loaded palette's field takes the focus, no character may act as a shortcut of the page. */
function useStrayKeys(isOpen: boolean, onCharacter: (character: string) => void): void {
	useEffect(() => {
		if (!isOpen) return undefined;
		const press = (event: KeyboardEvent) => {
			if (event.target !== document.body || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			event.stopPropagation();
			onCharacter(event.key);
		};
		document.addEventListener('keydown', press, { capture: true });
		return () => document.removeEventListener('keydown', press, { capture: true });
	}, [isOpen]);
}

interface PaletteFieldProps {
	readonly text: string;
	readonly onChange: (text: string) => void;
	readonly onClose: () => void;
	readonly onEnter: () => void;
}

/** Shown at once while the rest of the palette loads. */
function PaletteField({ text, onChange, onClose, onEnter }: PaletteFieldProps) {
	const press = (event: KeyPress) => {
		if (event.key === 'Escape') onClose();
		if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter();
	};
	return (
		<div
			className="react-aria-ModalOverlay palette"
			onPointerDown={({ target, currentTarget }) => {
				if (target === currentTarget) onClose();
			}}
		>
			<div className="react-aria-Modal">
				<div className="react-aria-Dialog" role="dialog" aria-modal="true" aria-label="Search">
					<div className="react-aria-SearchField">
						<Search size={16} className="lucide search-sign" />
						<input
							className="react-aria-Input"
							type="search"
							aria-label={SEARCH_LABEL}
							value={text}
							autoFocus
							onChange={(event) => onChange(event.target.value)}
							onKeyDown={press}
						/>
					</div>
				</div>
			</div>
		</div>
	);
}
