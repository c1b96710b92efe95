import { plural } from '../format.ts';
import { Late } from './late.tsx';

interface CurrenciesChipProps {
	/** What the figure says. */
	readonly label: string;
	/** The figure in the currencies that are not the program's, which are never added up. */
	readonly others: readonly string[];
}

/** "+2 currencies", which shows the other currencies of a figure. Nothing if there are none. */
export function CurrenciesChip({ label, others }: CurrenciesChipProps) {
	if (others.length === 0) return null;
	const more = `+${plural(others.length, 'currency', 'currencies')}`;
	return (
		<Late
			button={{
				className: 'react-aria-Button currencies-of',
				'aria-haspopup': 'dialog',
				// The name contains what is visible, so that one can say it to a computer.
				'aria-label': `${more}: ${label}`,
				children: more,
			}}
			load={loadCurrencies}
			props={{ label, others }}
		/>
	);
}

const loadCurrencies = async () => (await import('./other-currencies.tsx')).OtherCurrencies;
