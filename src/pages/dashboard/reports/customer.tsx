import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { count, country, dayOfYear, moment, money } from '../../format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { Facts } from '../../ui/small.tsx';
import { PartnerLink } from '../links.tsx';
import { useProgram } from '../use-program.ts';
import { CustomerStatus, nameOf } from './customer-parts.tsx';
import { Erase, Export } from './customer-data.tsx';
import { Journey } from './journey.tsx';

const route = getRouteApi('/shell/programs/$programId/customers/$customerId');

async function readCustomer(programId: string, customerId: string, cursor: string | undefined, signal: AbortSignal) {
	const param = { id: programId, customerId };
	return answerOf(api.v1.programs[':id'].customers[':customerId'].$get({ param, query: { cursor } }, { init: { signal } }));
}

export type CustomerOf = Awaited<ReturnType<typeof readCustomer>>['data'];

export function Customer() {
	const { customerId } = route.useParams();
	const { cursor } = route.useSearch();
	const { programId } = useProgram();
	const query = useQuery({
		queryKey: ['customer', programId, customerId, cursor],
		queryFn: ({ signal }) => readCustomer(programId, customerId, cursor, signal),
		placeholderData: keepPreviousData,
	});
	if (query.data) return <Shown customer={query.data.data} meta={query.data.meta} />;
	return (
		<Page title="Customer">
			<Loaded query={query} lines={12}>
				{() => null}
			</Loaded>
		</Page>
	);
}

function Shown({ customer, meta }: { customer: CustomerOf; meta: { readonly next_cursor: string | null } }) {
	const { cursor } = route.useSearch();
	const navigate = route.useNavigate();
	const { program, programId, can } = useProgram();
	const isErased = customer.erased_at !== null;
	return (
		<Page
			title={nameOf(customer)}
			actions={
				<>
					<Link className="button" to="/programs/$programId/events" params={{ programId }} search={{ customer_id: String(customer.id) }}>
						Events
					</Link>
					{customer.customer_key !== null && !isErased && (
						<Link
							className="button"
							to="/programs/$programId/explain"
							params={{ programId }}
							search={{ customer_key: customer.customer_key }}
						>
							Explain
						</Link>
					)}
					{can('admin') && (
						<>
							<Export customer={customer} />
							{!isErased && <Erase customer={customer} />}
						</>
					)}
				</>
			}
		>
			<p>
				<Link to="/programs/$programId/customers" params={{ programId }}>
					All customers
				</Link>
			</p>
			{customer.erased_at !== null && (
				<p className="note">
					Erased on {moment(customer.erased_at, program.time_zone)}. The personal data is permanently gone. Times and amounts are kept for
					accounting.
				</p>
			)}
			<div className="columns">
				<div className="stack">
					<Card title="About">
						<About customer={customer} />
					</Card>
					<Totals totals={customer.totals} />
				</div>
				<Card title="Journey, newest first">
					<div className="stack">
						<Journey steps={customer.journey} />
						<Paging
							cursor={cursor}
							meta={meta}
							shown={customer.journey.length}
							onChange={(to) => void navigate({ search: { cursor: to } })}
						/>
					</div>
				</Card>
			</div>
		</Page>
	);
}

function About({ customer }: { customer: CustomerOf }) {
	const { program } = useProgram();
	const { partner, link, country: code } = customer;
	const isErased = customer.erased_at !== null;
	return (
		<Facts
			facts={[
				['State', <CustomerStatus key="state" customer={customer} />],
				['Customer key', !isErased && customer.customer_key],
				['Email address', customer.email],
				[
					'Partner',
					partner ? <PartnerLink id={partner.id}>{partner.name}</PartnerLink> : 'No partner, so sales of this customer are refused',
				],
				['Link', link?.short_link],
				['Clicked', customer.clicked_at && moment(customer.clicked_at, program.time_zone)],
				['Click id', !isErased && customer.click_id && <code>{customer.click_id}</code>],
				['Country', code && country(code)],
				['Source', customer.source],
				['Signed up', customer.signup_date && dayOfYear(customer.signup_date)],
				['First sale', customer.first_purchase_date && dayOfYear(customer.first_purchase_date)],
				['Created', moment(customer.created_at, program.time_zone)],
			]}
		/>
	);
}

/** Currencies are never added up. */
function Totals({ totals }: Pick<CustomerOf, 'totals'>) {
	return Object.entries(totals).map(([currency, total]) => (
		<Card key={currency} title={Object.keys(totals).length === 1 ? 'Totals' : `Totals in ${currency}`}>
			<Facts
				facts={[
					['Sales', count(total.sales)],
					['Revenue', money(total.revenue_cents, currency)],
					['Refunded', total.refunded_cents > 0 && money(total.refunded_cents, currency)],
					['Commissions', money(total.commission_cents, currency)],
					['Deducted from commissions', total.deducted_cents > 0 && money(total.deducted_cents, currency)],
				]}
			/>
		</Card>
	));
}
