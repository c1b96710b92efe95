import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { count, plural } from '../../../format.ts';
import { sumsOf, sumsText } from '../labels.ts';
import type { DueSums } from './due-queries.ts';

// What to know before paying.

const route = getRouteApi('/shell/programs/$programId/payouts');

export function sumOf(sums: DueSums | undefined, name: 'without_payout_method' | 'above_limit'): number {
	return (sums?.currencies ?? []).reduce((sum, currency) => sum + currency[name], 0);
}

/** A warning, not a refusal: what is owed to these partners stays the same. */
export function WithoutDetails({ payouts }: { payouts: number }) {
	const navigate = route.useNavigate();
	if (payouts === 0) return null;
	return (
		<p className="note warn">
			<strong>
				{plural(payouts, 'payout')} {payouts === 1 ? 'goes to a partner' : 'go to partners'} without payout details.
			</strong>{' '}
			No file includes {payouts === 1 ? 'it' : 'them'} until the details are entered.{' '}
			<Button
				className="react-aria-Button link"
				onPress={() => void navigate({ search: (before) => ({ ...before, cursor: undefined, method: 'none' }) })}
			>
				Show {payouts === 1 ? 'this partner' : 'these partners'}
			</Button>
		</p>
	);
}

/** Suspended and former partners are paid only on request. */
export function Others({ sums }: { sums: DueSums }) {
	const navigate = route.useNavigate();
	const others = [
		{ status: 'suspended', payouts: sums.suspended_payouts, to: 'suspended partners' },
		{ status: 'ended', payouts: sums.ended_payouts, to: 'former partners' },
	] as const;
	return others
		.filter(({ payouts }) => payouts > 0)
		.map(({ status, payouts, to }) => (
			<p key={status} className="note">
				{plural(payouts, 'more payout')} {payouts === 1 ? 'is' : 'are'} due to {to}. “Create payouts” leaves them out here.{' '}
				<Button
					className="react-aria-Button link"
					onPress={() => void navigate({ search: (before) => ({ ...before, cursor: undefined, status }) })}
				>
					Show {to}
				</Button>
			</p>
		));
}

interface WarningsProps {
	readonly accounts: readonly { readonly currency: string; readonly recovered_cents: number }[];
	readonly withoutMethod: number;
	readonly aboveLimit: number;
}

export function Warnings({ accounts, withoutMethod, aboveLimit }: WarningsProps) {
	const recovered = sumsOf(accounts, ({ currency, recovered_cents }) => ({ currency, cents: recovered_cents })).filter(
		({ cents }) => cents > 0,
	);
	return (
		<>
			{recovered.length > 0 && <p>{sumsText(recovered)} is deducted for debts. It was paid for sales that were refunded later.</p>}
			{withoutMethod > 0 && (
				<p className="warn">
					{plural(withoutMethod, 'payout')} {withoutMethod === 1 ? 'goes to a partner' : 'go to partners'} without payout details. You can
					create {withoutMethod === 1 ? 'it' : 'them'} now, but no file includes {withoutMethod === 1 ? 'it' : 'them'} until the details are
					entered.
				</p>
			)}
			{aboveLimit > 0 && (
				<p className="warn">
					{plural(aboveLimit, 'payout')} will include a partner’s oldest {count(10_000)} commissions only. Create payouts again for the
					rest.
				</p>
			)}
		</>
	);
}
