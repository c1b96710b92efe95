import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { useProgram } from '../use-program.ts';
import { MakeCoupon } from './links/coupon-dialogs.tsx';
import { couponsQuery } from './links/coupon-queries.ts';
import { CouponTable } from './links/coupon-table.tsx';
import type { Partner } from './queries.ts';

export function PartnerCoupons({ partner }: { partner: Partner }) {
	const { programId, can } = useProgram();
	const id = String(partner.id);
	const coupons = useQuery(couponsQuery(programId, { partner_id: id }));
	const hasMore = coupons.data !== undefined && coupons.data.meta.next_cursor !== null;
	return (
		<Card
			title="Coupons"
			isFlush
			actions={
				<>
					{hasMore && (
						<Link to="/programs/$programId/coupons" params={{ programId }} search={{ partner: id }}>
							All coupons
						</Link>
					)}
					{can('admin') && partner.status !== 'ended' && <MakeCoupon partner={partner} />}
				</>
			}
		>
			<Loaded query={coupons} lines={2}>
				{({ data }) => <CouponTable coupons={data} />}
			</Loaded>
		</Card>
	);
}
