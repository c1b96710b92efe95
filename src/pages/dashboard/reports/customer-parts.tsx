import { Link } from '@tanstack/react-router';
import { Badge, type Tone } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';

export const STATUSES = [
	{ value: 'click', label: 'Clicked' },
	{ value: 'lead', label: 'Signed up' },
	{ value: 'conversion', label: 'Bought' },
] as const;

type Status = (typeof STATUSES)[number]['value'];

const TONES: Record<Status, Tone | undefined> = { click: undefined, lead: 'accent', conversion: 'good' };

interface Named {
	readonly id: number;
	readonly customer_key: string | null;
	readonly email: string | null;
	readonly erased_at: string | null;
}

export function nameOf({ id, customer_key, email, erased_at }: Named): string {
	if (erased_at !== null) return `Customer ${id}`;
	return customer_key ?? email ?? `Customer ${id}`;
}

export function CustomerStatus({ customer: { status, erased_at } }: { customer: { status: Status; erased_at: string | null } }) {
	return (
		<span className="row">
			<Badge tone={TONES[status]}>{STATUSES.find(({ value }) => value === status)?.label}</Badge>
			{erased_at !== null && <Badge>Erased</Badge>}
		</span>
	);
}

/** Only people who may erase data see the erasures. */
export function CustomerTabs() {
	const { programId, can } = useProgram();
	if (!can('admin')) return null;
	return (
		<nav className="tabs" aria-label="Customers">
			<Link to="/programs/$programId/customers" params={{ programId }} activeOptions={{ exact: true, includeSearch: false }}>
				Customers
			</Link>
			<Link to="/programs/$programId/customers/erasures" params={{ programId }} activeOptions={{ includeSearch: false }}>
				Erasures
			</Link>
		</nav>
	);
}
