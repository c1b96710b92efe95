import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { centsOf, money } from '../../format.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { DomainField, domainIn } from '../settings/domain-field.tsx';
import { useChangeProgram } from '../settings/use-change-program.ts';
import { useProgram } from '../use-program.ts';
import type { Status } from './status.ts';

const LOCAL = 'http://localhost:*';

/** The domain, and the origins whose pages may report clicks. */
export function Site({ status }: { status: Status }) {
	const { programId, program, can } = useProgram();
	const change = useChangeProgram({ isQuiet: true });
	const isAdmin = can('admin');
	return (
		<>
			{status.allowed_origins.length > 0 && (
				<p>
					Pages on{' '}
					{status.allowed_origins.map((origin, index) => (
						<span key={origin}>
							{index > 0 && ', '}
							<code>{origin}</code>
						</span>
					))}{' '}
					may report clicks.
				</p>
			)}
			{isAdmin && program.domain === null && (
				<ActionForm
					action="Save"
					isPending={change.isPending}
					error={change.error}
					onSend={(fields) => change.mutate({ domain: domainIn(fields) })}
				>
					<DomainField
						label="Domain of your site"
						description="Paste the address of any page of your site. All its pages may then report clicks."
						isRequired
					/>
				</ActionForm>
			)}
			<div className="row">
				{isAdmin && !program.allowed_origins.includes(LOCAL) && <AllowOrigin origin={LOCAL}>Allow localhost for development</AllowOrigin>}
				<Link to="/programs/$programId/settings" params={{ programId }}>
					Show all origins
				</Link>
			</div>
		</>
	);
}

/** Adds an origin to the list. */
export function AllowOrigin({ origin, children }: { origin: string; children: string }) {
	const { program } = useProgram();
	const change = useChangeProgram();
	return (
		<Button isPending={change.isPending} onPress={() => change.mutate({ allowed_origins: [...program.allowed_origins, origin] })}>
			{children}
		</Button>
	);
}

/** What a sale of this amount would earn now. */
export function useEarned(cents: number | undefined) {
	const { programId } = useProgram();
	return useQuery({
		queryKey: ['dry-run', programId, cents],
		queryFn: async ({ signal }) =>
			(
				await answerOf(
					api.v1.programs[':id']['commission-rules']['dry-run'].$get(
						{ param: { id: programId }, query: { amount_cents: String(cents) } },
						{ init: { signal } },
					),
				)
			).data,
		enabled: cents !== undefined && cents > 0,
		placeholderData: keepPreviousData,
	});
}

const EXAMPLE = '100';

/** "$20.00 on a sale of $100.00". */
export function useEarningsText(): string | undefined {
	const { program } = useProgram();
	const cents = centsOf(EXAMPLE, program.currency);
	const { data } = useEarned(cents);
	if (cents === undefined || !data?.commission) return undefined;
	return `${money(data.commission.amount_cents, data.currency)} on a sale of ${money(cents, program.currency)}`;
}

export function Earnings() {
	const { programId, program } = useProgram();
	const [sale, setSale] = useState(EXAMPLE);
	const cents = centsOf(sale, program.currency);
	const isAmount = cents !== undefined && cents > 0;
	const { data } = useEarned(cents);
	const found = isAmount ? data : undefined;
	const result = found?.commission ? money(found.commission.amount_cents, found.currency) : (found?.reason ?? '…');
	return (
		<>
			<div className="row">
				<span>A sale of</span>
				<div className="short">
					<Field label="Amount of a sale" isLabelHidden inputMode="decimal" value={sale} onChange={setSale} />
				</div>
				<span>
					{program.currency} earns its partner <strong>{result}</strong>
				</span>
			</div>
			<Link to="/programs/$programId/rules" params={{ programId }}>
				Set rates for products, partners and groups
			</Link>
		</>
	);
}
