import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf } from '../../api.ts';
import { dayOf, moment, money } from '../../format.ts';
import { SidePanel } from '../../ui/dialogs.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, type Tone } from '../../ui/small.tsx';
import { earnsOf, rateOf } from '../../labels/rate.ts';
import { inWords } from '../in-words.ts';
import { OwnCommissionBadge } from '../labels.tsx';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';
import type { Commission } from './queries.ts';

export function CommissionPanel({ commissionId, onClose }: { commissionId: string; onClose: () => void }) {
	const { membershipId: id } = useMembership();
	const query = useQuery({
		queryKey: ['own-commission', id, commissionId],
		queryFn: async ({ signal }) =>
			(await answerOf(own.commissions[':commissionId'].$get({ param: { id, commissionId } }, { init: { signal } }))).data,
	});
	return (
		<SidePanel title="Commission" onClose={onClose}>
			<Loaded query={query} lines={12}>
				{(commission) => <Details commission={commission} />}
			</Loaded>
		</SidePanel>
	);
}

function Details({ commission }: { commission: Commission }) {
	const { zone } = useMembership();
	const { status, currency, sale, lines, amount_cents, remaining_cents } = commission;
	return (
		<div className="stack">
			<div className="row">
				<strong className="figure">{money(remaining_cents, currency)}</strong>
				<OwnCommissionBadge {...commission} />
			</div>
			<p className="wrap">{inWords(commission.state_reason, currency)}</p>
			<Facts
				facts={[
					['Sale', money(sale.amount_cents, currency)],
					['Product', sale.product_id],
					['sub_id', sale.sub_id],
					['Refunded', sale.refunded_cents > 0 && money(sale.refunded_cents, currency)],
					['Your rate', lines === null ? earnsOf(commission.rate, currency) : <Lines lines={lines} currency={currency} />],
					['Commission', money(amount_cents, currency)],
					['Deducted', remaining_cents < amount_cents && money(amount_cents - remaining_cents, currency)],
					['On hold until', status === 'pending' && dayOf(commission.hold_until, zone)],
					['Payout', commission.payout_id !== null && <PayoutLink id={commission.payout_id} />],
					['Number', commission.id],
				]}
			/>
			<h3>What happened</h3>
			<ol className="timeline">
				{stepsOf(commission).map(({ title, at, tone, text }, index) => (
					<li key={index} className={tone}>
						<div className="row">
							<strong>{title}</strong>
							<time className="quiet small" dateTime={at}>
								{moment(at, zone)}
							</time>
						</div>
						{text && <div className="wrap">{text}</div>}
					</li>
				))}
			</ol>
		</div>
	);
}

/** What each line of a cart earned. */
function Lines({ lines, currency }: { lines: NonNullable<Commission['lines']>; currency: string }) {
	return (
		<ul className="plain">
			{lines.map((line, index) => (
				<li key={index} className="wrap">
					{lineText(line, currency)}
				</li>
			))}
		</ul>
	);
}

function lineText({ product_id, amount_cents, rate, earned_cents }: NonNullable<Commission['lines']>[number], currency: string): string {
	const part = `${product_id ?? 'Other products'}, ${money(amount_cents, currency)}`;
	return rate ? `${part}: ${rateOf(rate, currency)}, ${money(earned_cents, currency)}` : `${part}: no rate applied`;
}

interface Step {
	readonly title: string;
	readonly at: string;
	/** If it differs from `at`. */
	readonly sortAt?: string;
	readonly tone?: Tone;
	readonly text?: string | undefined;
}

/** Oldest first. */
function stepsOf(commission: Commission): Step[] {
	const { sale, currency, amount_cents, paid_at, payout_id, payout_failed, payout_sent_at } = commission;
	const steps: Step[] = [
		{
			title: 'Sold',
			at: sale.created_at,
			text: `A sale of ${money(sale.amount_cents, currency)} came from your link and earned you ${money(amount_cents, currency)}.`,
		},
		...commission.refunds.map((refund) => refundStep(refund, currency)),
	];
	if (paid_at !== null) {
		const failed = payout_failed ? ', which failed later' : '';
		steps.push({ title: 'On its way', at: paid_at, text: `It was put into payout ${payout_id}${payout_sent_at === null ? failed : ''}.` });
		if (payout_sent_at !== null) {
			const text = `The program sent payout ${payout_id}${failed}.`;
			// A payout may be marked as sent on the day on which it was made, which begins before it was made.
			steps.push({
				title: 'Paid',
				at: payout_sent_at,
				sortAt: later(paid_at, payout_sent_at),
				tone: payout_failed ? 'warn' : 'good',
				text,
			});
		}
	}
	return steps.toSorted((a, b) => Date.parse(a.sortAt ?? a.at) - Date.parse(b.sortAt ?? b.at));
}

function later(one: string, other: string): string {
	return Date.parse(one) > Date.parse(other) ? one : other;
}

/** A reinstated refund is negative. */
function refundStep(
	{ amount_cents, deduction_cents, withheld_cents, reason, created_at }: Commission['refunds'][number],
	currency: string,
): Step {
	const isBack = amount_cents < 0;
	const taken = Math.abs(deduction_cents ?? 0);
	const parts = [
		reason === null ? undefined : `${reason.replace(/[.!?]$/, '')}.`,
		taken > 0 ? `${money(taken, currency)} ${isBack ? 'was given back to you' : 'of your commission was deducted'}.` : undefined,
		withheld_cents > 0
			? `Of that, ${money(withheld_cents, currency)} was withheld to make up for an earlier refund that your balance could not cover.`
			: undefined,
	];
	return {
		title: isBack ? `The refund of ${money(-amount_cents, currency)} was undone` : `${money(amount_cents, currency)} refunded`,
		at: created_at,
		tone: isBack ? 'good' : 'warn',
		text: parts.filter((part) => part !== undefined).join(' ') || undefined,
	};
}

export function PayoutLink({ id }: { id: number }) {
	const { membershipId } = useMembership();
	return (
		<Link to="/programs/$membershipId/payouts" params={{ membershipId }} search={{ open: String(id) }}>
			Payout {id}
		</Link>
	);
}
