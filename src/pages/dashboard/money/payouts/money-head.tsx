import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { money, monthOf, plural } from '../../../format.ts';
import { LeadFigure } from '../../../ui/lead-figure.tsx';
import { useProgram } from '../../use-program.ts';
import { type MoneySums, useMoneySums } from './payout-queries.ts';

type Sum = MoneySums['currencies'][number];

/** Where the program's money is. Every page of payouts begins with it. */
export function MoneyHead() {
	const { programId } = useProgram();
	const { data, error } = useMoneySums(programId);
	if (error && !data) return <p className="note bad">The sums could not be loaded: {error.message}</p>;
	const [own] = data?.currencies ?? [];
	return (
		<dl className="lead-figures" aria-busy={!data}>
			<Figure label="Due" sums={data} read={(sum) => sum.due_cents}>
				approved, not in a payout yet
			</Figure>
			<Figure label="On hold" sums={data} read={(sum) => sum.on_hold_cents}>
				<Link to="/programs/$programId/commissions" params={{ programId }} search={{ status: 'pending' }}>
					See what is on hold
				</Link>
			</Figure>
			<Figure label="On its way" sums={data} read={(sum) => sum.on_its_way_cents}>
				{own && `${plural(countOf(data, 'on_its_way_payouts'), 'payout')} not sent yet`}
			</Figure>
			<Figure label="Paid this month" sums={data} read={(sum) => sum.paid_this_month_cents}>
				{data && `${plural(countOf(data, 'paid_this_month_payouts'), 'payout')} sent in ${monthOf(data.month)}`}
			</Figure>
		</dl>
	);
}

interface FigureProps {
	readonly label: string;
	readonly sums: MoneySums | undefined;
	readonly read: (sum: Sum) => number;
	readonly children: ReactNode;
}

function Figure({ label, sums, read, children }: FigureProps) {
	const [own, ...others] = sums?.currencies ?? [];
	return (
		<LeadFigure
			label={label}
			amount={own ? money(read(own), own.currency) : '…'}
			others={others.filter((sum) => read(sum) !== 0).map((sum) => money(read(sum), sum.currency))}
		>
			{children}
		</LeadFigure>
	);
}

function countOf(sums: MoneySums | undefined, name: 'on_its_way_payouts' | 'paid_this_month_payouts'): number {
	return (sums?.currencies ?? []).reduce((count, sum) => count + sum[name], 0);
}
