import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Way {
	readonly id: number;
	readonly children: ReactNode;
}

export function PartnerLink({ id, children }: Way) {
	return (
		<Link to="/programs/$programId/partners/$partnerId" params={{ programId: useProgramId(), partnerId: String(id) }}>
			{children}
		</Link>
	);
}

export function CommissionLink({ id, children }: Way) {
	return (
		<Link to="/programs/$programId/commissions" params={{ programId: useProgramId() }} search={{ open: String(id) }}>
			{children}
		</Link>
	);
}

export function PayoutLink({ id, children }: Way) {
	return (
		<Link to="/programs/$programId/payouts/history" params={{ programId: useProgramId() }} search={{ open: String(id) }}>
			{children}
		</Link>
	);
}

export function CustomerLink({ id, children }: Way) {
	return (
		<Link to="/programs/$programId/customers/$customerId" params={{ programId: useProgramId(), customerId: String(id) }}>
			{children}
		</Link>
	);
}

function useProgramId(): string {
	return useParams({ from: '/shell/programs/$programId' }).programId;
}
