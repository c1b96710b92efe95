import { money } from '../../format.ts';
import { useMembership } from '../memberships.ts';
import type { Figures } from './queries.ts';

type Amount = 'net_revenue_cents' | 'net_commission_cents';

/** After refunds, with the program's currency first. */
export function amountsOf(figures: Pick<Figures, Amount | 'currencies'>, of: Amount, currency: string): readonly string[] {
	const others = Object.entries(figures.currencies).filter(([, amounts]) => amounts[of] !== 0);
	const own = figures[of] !== 0 || others.length === 0 ? [money(figures[of], currency)] : [];
	return [...own, ...others.map(([code, amounts]) => money(amounts[of], code))];
}

/** One line per currency. */
export function Amounts({ figures, of }: { figures: Pick<Figures, Amount | 'currencies'>; of: Amount }) {
	const { program } = useMembership();
	return (
		<span className="lines">
			{amountsOf(figures, of, program.currency).map((text) => (
				<span key={text}>{text}</span>
			))}
		</span>
	);
}
