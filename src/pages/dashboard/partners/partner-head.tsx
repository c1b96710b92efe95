import { Link } from '@tanstack/react-router';
import { dayOf, money } from '../../format.ts';
import { METHODS } from '../../labels/payout.tsx';
import { MembershipBadge } from '../../labels/membership.tsx';
import { LeadFigure } from '../../ui/lead-figure.tsx';
import { Badge, Facts } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';
import { AskForDetails } from './ask-for-details.tsx';
import type { Partner } from './queries.ts';

// What a partner's page begins with: who it is, the state, and the balances.

/** The line under the name. */
export function Identity({ partner }: { partner: Partner }) {
	const { programId, program } = useProgram();
	return (
		<p className="row quiet small">
			<Link to="/programs/$programId/partners" params={{ programId }} search={{}}>
				Partners
			</Link>
			<span aria-hidden="true">·</span>
			<MembershipBadge status={partner.status} />
			<span className="wrap">{partner.email}</span>
			<span>Joined {dayOf(partner.created_at, program.time_zone)}</span>
		</p>
	);
}

export function PartnerLead({ partner }: { partner: Partner }) {
	return (
		<div className="lead-card">
			<Balances balances={partner.balances} />
			<Facts
				facts={[
					['Payout method', <PaidBy key="method" partner={partner} />],
					['Group', partner.group?.name],
					['Partner number', partner.id],
				]}
			/>
		</div>
	);
}

type Balance = Partner['balances'][string];

/** The program's currency leads. */
function Balances({ balances }: { balances: Partner['balances'] }) {
	const { program } = useProgram();
	const isDebt = Object.values(balances).some(({ debt }) => debt > 0);
	return (
		<dl className="lead-figures">
			<Figure label="Available to pay out" balances={balances} currency={program.currency} read={({ available }) => available} />
			<Figure label="On hold" balances={balances} currency={program.currency} read={({ pending }) => pending} />
			{isDebt && (
				<Figure label="Debt" balances={balances} currency={program.currency} read={({ debt }) => debt}>
					from refunds after a payout; the next payouts recover it
				</Figure>
			)}
		</dl>
	);
}

interface FigureProps {
	readonly label: string;
	readonly balances: Partner['balances'];
	readonly currency: string;
	readonly read: (balance: Balance) => number;
	readonly children?: string;
}

function Figure({ label, balances, currency, read, children }: FigureProps) {
	const own = balances[currency];
	const others = Object.entries(balances).filter(([code, balance]) => code !== currency && read(balance) !== 0);
	return (
		<LeadFigure
			label={label}
			amount={money(own ? read(own) : 0, currency)}
			others={others.map(([code, balance]) => money(read(balance), code))}
		>
			{children}
		</LeadFigure>
	);
}

function PaidBy({ partner }: { partner: Partner }) {
	const { can } = useProgram();
	if (partner.payout_details) return METHODS[partner.payout_details.method];
	return (
		<span className="row">
			<Badge tone="warn">No payout details</Badge>
			{can('admin') && partner.accepted && <AskForDetails partner={partner} />}
		</span>
	);
}
