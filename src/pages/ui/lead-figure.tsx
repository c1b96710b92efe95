import type { ReactNode } from 'react';
import { CurrenciesChip } from './currencies-chip.tsx';

interface LeadFigureProps {
	readonly label: string;
	/** In the program's currency. */
	readonly amount: string;
	/** In other currencies, which are never added up. */
	readonly others: readonly string[];
	/** What the figure means, in a few words. */
	readonly children?: ReactNode;
}

/** One of the figures that a page begins with, for a list of the class lead-figures. */
export function LeadFigure({ label, amount, others, children }: LeadFigureProps) {
	return (
		<div>
			<dt>{label}</dt>
			<dd>
				<strong>{amount}</strong>
				{children !== undefined && <small>{children}</small>}
				<CurrenciesChip label={label} others={others} />
			</dd>
		</div>
	);
}
