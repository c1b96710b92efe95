import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { ago, count, dayOf } from '../../../format.ts';
import { type ColumnOf, DataTable } from '../../../ui/data-table.tsx';
import { Confirm } from '../../../ui/dialogs.tsx';
import { Empty } from '../../../ui/loaded.tsx';
import { Badge, CopyButton } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { RenameCoupon } from './coupon-dialogs.tsx';
import type { Coupon } from './coupon-queries.ts';

interface CouponTableProps {
	readonly coupons: readonly Coupon[];
	readonly withPartner?: boolean;
	readonly isStale?: boolean;
}

export function CouponTable({ coupons, withPartner = false, isStale = false }: CouponTableProps) {
	const { program, can } = useProgram();
	const columns: readonly (ColumnOf<Coupon> | false)[] = [
		{
			id: 'code',
			onPhone: 'lead',
			label: 'Code',
			cell: ({ code, archived_at }) => (
				<span className="row nowrap">
					<span className="cut brief code">{code}</span>
					{archived_at === null ? <CopyButton label={code} text={code} /> : <Badge>Archived</Badge>}
				</span>
			),
		},
		withPartner && { id: 'partner', onPhone: 'under', label: 'Partner', cell: ({ partner }) => <Owner partner={partner} /> },
		{
			id: 'sales',
			onPhone: 'under-end',
			label: 'Sales',
			isNumber: true,
			cell: ({ sales }) => (
				<>
					{salesText(sales)}
					<span className="only-phone"> {sales === 1 ? 'sale' : 'sales'}</span>
				</>
			),
		},
		{
			id: 'last',
			label: 'Last sale',
			cell: ({ last_sale_at }) => <span className="nowrap quiet">{last_sale_at === null ? 'none yet' : ago(last_sale_at)}</span>,
		},
		{ id: 'created', label: 'Created', cell: ({ created_at }) => <span className="nowrap">{dayOf(created_at, program.time_zone)}</span> },
		can('admin') && { id: 'actions', onPhone: 'end', label: 'Actions', isNumber: true, cell: (coupon) => <Actions coupon={coupon} /> },
	];
	return (
		<DataTable
			label="Coupons"
			rows={coupons}
			isStale={isStale}
			columns={columns.filter((column) => column !== false)}
			empty={
				<Empty title="No coupons">
					A coupon is a code that a partner gives to their audience. A buyer who uses it counts as that partner’s customer, even without a
					click.
				</Empty>
			}
		/>
	);
}

/** The service stops counting here. */
const MOST_COUNTED = 1_000;

function salesText(sales: number): string {
	return `${count(sales)}${sales >= MOST_COUNTED ? ' or more' : ''}`;
}

function Owner({ partner }: Pick<Coupon, 'partner'>) {
	const { programId } = useProgram();
	return (
		<Link
			className="cut brief"
			to="/programs/$programId/partners/$partnerId"
			params={{ programId, partnerId: String(partner.id) }}
			search={{}}
		>
			{partner.name}
		</Link>
	);
}

function Actions({ coupon }: { coupon: Coupon }) {
	return (
		<span className="actions nowrap">
			{coupon.archived_at === null && <RenameCoupon coupon={coupon} />}
			{coupon.archived_at === null ? <Archive coupon={coupon} /> : <UseAgain coupon={coupon} />}
		</span>
	);
}

function Archive({ coupon: { id, code } }: { coupon: Coupon }) {
	const { programId } = useProgram();
	const archive = useAction({
		send: () => answerOf(api.v1.programs[':id'].coupons[':couponId'].$delete({ param: { id: programId, couponId: String(id) } })),
		successMessage: () => `${code} is archived`,
		undo: () => restore(programId, id),
	});
	return (
		<Confirm
			trigger={
				<Button className="react-aria-Button plain" aria-label={`Archive ${code}`}>
					Archive
				</Button>
			}
			title={`Archive ${code}?`}
			action="Archive"
			isDangerous
			isPending={archive.isPending}
			onConfirm={() => archive.mutate()}
		>
			<p>
				This coupon will no longer credit sales with this code, and another coupon can use the code. Customers that it brought stay with
				their partner. This does not end the discount in your checkout: end it there too.
			</p>
		</Confirm>
	);
}

function UseAgain({ coupon: { id, code } }: { coupon: Coupon }) {
	const { programId } = useProgram();
	const use = useAction({
		send: () => restore(programId, id),
		successMessage: () => `${code} is restored`,
	});
	return (
		<Button
			className="react-aria-Button plain"
			aria-label={`Restore ${code}`}
			isPending={use.isPending}
			onPress={() => use.mutate(undefined)}
		>
			Restore
		</Button>
	);
}

function restore(programId: string, id: number) {
	return answerOf(
		api.v1.programs[':id'].coupons[':couponId'].$patch({ param: { id: programId, couponId: String(id) }, json: { archived: false } }),
	);
}
