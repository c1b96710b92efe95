import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api.ts';
import { country, moment, money } from '../../format.ts';
import { SidePanel } from '../../ui/dialogs.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, Facts } from '../../ui/small.tsx';
import { SaleExplanation } from '../explanation.tsx';
import { CustomerLink, PartnerLink } from '../links.tsx';
import { useProgram } from '../use-program.ts';
import { CustomerStatus, nameOf } from './customer-parts.tsx';
import { EVENT_TYPES, INTERVALS, OUTCOMES, TYPES } from './event-labels.ts';
import { Journey } from './journey.tsx';
import { SaleDetails } from './explained.tsx';

async function readTimeline(programId: string, type: string, eventId: string, signal: AbortSignal) {
	const param = { programId, type, eventId };
	return (await answerOf(api.tracking.events[':programId'][':type'][':eventId'].$get({ param }, { init: { signal } }))).data;
}

type EventTimeline = Awaited<ReturnType<typeof readTimeline>>;
type Event = EventTimeline['event'];

/** `name` is the event's type and id: "sale-12". */
export function EventPanel({ name, onClose }: { name: string; onClose: () => void }) {
	const { programId } = useProgram();
	const [type = '', ...id] = name.split('-');
	const eventId = id.join('-');
	const query = useQuery({
		queryKey: ['event', programId, type, eventId],
		queryFn: ({ signal }) => readTimeline(programId, type, eventId, signal),
		placeholderData: keepPreviousData,
	});
	const known = TYPES.find(({ value }) => value === type)?.value;
	return (
		<SidePanel title={known ? EVENT_TYPES[known] : 'Event'} onClose={onClose}>
			<Loaded query={query} lines={14}>
				{(timeline) => <EventDetails timeline={timeline} />}
			</Loaded>
		</SidePanel>
	);
}

function EventDetails({ timeline: { event, visit, customers, journey, sales } }: { timeline: EventTimeline }) {
	const own = sales.find(({ sale }) => sale.id === event.sale_id);
	return (
		<div className="stack">
			{event.type !== 'sale' && <About event={event} visit={visit} />}
			{own && <SaleExplanation explained={own} />}
			{event.type === 'sale' && <Reported event={event} />}
			{!own && customers.length > 0 && <Customers customers={customers} />}
			{!own && journey.length > 0 && (
				<>
					<h3>Results, newest first</h3>
					<Journey steps={journey} />
				</>
			)}
			{!own && journey.length === 0 && event.type === 'click' && (
				<p className="note">Nobody has signed up or bought anything through this click.</p>
			)}
			{!own && sales.map((explained) => <SaleDetails key={explained.sale.id} explained={explained} />)}
		</div>
	);
}

function About({ event, visit }: Pick<EventTimeline, 'event' | 'visit'>) {
	const { program } = useProgram();
	return (
		<Facts
			facts={[
				['When', event.at !== null && moment(event.at, program.time_zone)],
				['Test', event.is_test && <Badge>Earns nothing and is not counted</Badge>],
				['Crawler', event.is_bot === true && <Badge>Not counted</Badge>],
				...(event.type === 'refund' ? refundFacts(event) : visitFacts(event, visit)),
			]}
		/>
	);
}

function Reported({ event }: Pick<EventTimeline, 'event'>) {
	const { sale_type, is_recurring, subscription_id, subscription_interval, line_items } = event;
	return (
		<details>
			<summary>Reported data</summary>
			<div className="stack tight">
				<Facts
					facts={[
						['Kind', sale_type === 'subscription' ? 'Subscription payment' : 'One-time payment'],
						['Renewal', is_recurring === true ? 'Yes' : 'No'],
						['Subscription', subscription_id && <code>{subscription_id}</code>],
						['Billed', subscription_interval && INTERVALS[subscription_interval]],
						['Line items', line_items === null && 'None'],
					]}
				/>
				{line_items !== null && (
					<>
						<h3 id="line-items">Line items</h3>
						<pre tabIndex={0} role="region" aria-labelledby="line-items">
							{JSON.stringify(line_items, null, 2)}
						</pre>
					</>
				)}
			</div>
		</details>
	);
}

function refundFacts({ amount_cents, currency, deduction_cents, outcome, source, reason, refund_id }: Event) {
	const cents = (amount: number | null) => amount !== null && currency !== null && money(amount, currency);
	return [
		['Amount', cents(amount_cents)],
		['Outcome', outcome && OUTCOMES[outcome]],
		['Deducted from the commission', cents(deduction_cents)],
		['Reported by', source === 'processor' ? 'The payment processor' : source && 'Your backend'],
		['Reason', reason],
		['Refund id', refund_id && <code>{refund_id}</code>],
	] as const;
}

function visitFacts({ customer_key, click_id, partner, short_link, country: code }: Event, visit: EventTimeline['visit']) {
	return [
		['Customer key', customer_key],
		['Click id', click_id && <code>{click_id}</code>],
		['Partner', partner && <PartnerLink id={partner.id}>{partner.name}</PartnerLink>],
		['Link', short_link],
		['Page', visit?.page_url],
		['Title', visit?.page_title],
		['Referrer', visit?.referrer_url],
		['Source', visit?.source],
		['Country', code && country(code)],
		['Browser', visit?.user_agent],
		['Language', visit?.language],
		['Time zone', visit?.time_zone],
		['sub_id of the link', visit?.sub_id],
	] as const;
}

function Customers({ customers }: Pick<EventTimeline, 'customers'>) {
	return (
		<ul className="plain stack tight">
			{customers.map((customer) => (
				<li key={customer.id} className="row">
					<CustomerLink id={customer.id}>{nameOf(customer)}</CustomerLink>
					<CustomerStatus customer={customer} />
				</li>
			))}
		</ul>
	);
}
