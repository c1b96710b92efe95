import { useQuery } from '@tanstack/react-query';
import { count } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, CopyButton } from '../../ui/small.tsx';
import { useMembership } from '../memberships.ts';
import { couponsQuery } from './queries.ts';

/** Shows nothing if the program has given the partner no coupon. */
export function Coupons() {
	const { membershipId } = useMembership();
	const coupons = useQuery(couponsQuery(membershipId));
	if (!coupons.data || coupons.data.length === 0) return null;
	return (
		<>
			<Card title="Your codes" isFlush>
				<DataTable
					label="Your codes"
					rows={coupons.data}
					columns={[
						{
							id: 'code',
							label: 'Code',
							cell: ({ code, archived_at }) => (
								<span className="row">
									<span className="wrap code">{code}</span>
									{archived_at !== null && <Badge>Archived</Badge>}
								</span>
							),
						},
						{ id: 'sales', label: 'Sales', isNumber: true, cell: ({ sales }) => `${count(sales)}${sales >= 1_000 ? ' or more' : ''}` },
						{
							id: 'copy',
							label: 'Copy',
							isNumber: true,
							cell: ({ code, archived_at }) => archived_at === null && <CopyButton label={`the code ${code}`} text={code} />,
						},
					]}
					empty={null}
				/>
			</Card>
			<p className="quiet small">
				If a customer without a partner buys with your code, the sale is yours, even without a click on your link.
			</p>
		</>
	);
}
