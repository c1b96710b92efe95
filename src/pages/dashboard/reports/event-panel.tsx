import { country, moment, money } from '../../format.ts';
import { SidePanel } from '../../ui/dialogs.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Badge, Facts } from '../../ui/small.tsx';
import { SaleExplanation } from '../explanation.tsx';
import { PartnerLink } from '../links.tsx';
import { useProgram } from '../use-program.ts';
import { EVENT_TYPES, OUTCOMES } from './event-words.ts';
import type { Event } from './events.tsx';
import { Explained, useExplanation } from './explained.tsx';

/** One event, and the whole story that it is a part of. */
export function EventPanel({ event, onClose }: { event: Event | undefined; onClose: () => void }) {
	return (
		<SidePanel title={event ? EVENT_TYPES[event.type] : 'Event'} onClose={onClose}>
			{event ? <Told event={event} /> : <Empty title="It is not on this page of the list" />}
		</SidePanel>
	);
}

function Told({ event }: { event: Event }) {
	return (
		<div className="stack">
			<About event={event} />
			<Story event={event} />
		</div>
	);
}

function About({ event }: { event: Event }) {
	const { program } = useProgram();
	const { at, amount_cents, currency, deduction_cents, partner, country: code } = event;
	const cents = (amount: number | null) => amount !== null && currency !== null && money(amount, currency);
	return (
		<Facts
			facts={[
				['When', at !== null && moment(at, program.time_zone)],
				['Kind', event.is_test && <Badge>Test: earns and counts nothing</Badge>],
				['By', event.is_bot === true && <Badge>A crawler: not counted</Badge>],
				['Amount', cents(amount_cents)],
				['Outcome', event.outcome && OUTCOMES[event.outcome]],
				['Taken back', cents(deduction_cents)],
				['Told by', event.source === 'processor' ? 'the payment processor' : event.source && 'your backend'],
				['Reason', event.reason],
				['Transaction', event.transaction_id && <code>{event.transaction_id}</code>],
				['Refund id', event.refund_id && <code>{event.refund_id}</code>],
				['Product', event.product_id],
				['Customer key', event.customer_key],
				['Click id', event.click_id && <code>{event.click_id}</code>],
				['Partner', partner && <PartnerLink id={partner.id}>{partner.name}</PartnerLink>],
				['Link', event.short_link],
				['Country', code && country(code)],
			]}
		/>
	);
}

function Story({ event: { type, click_id, customer_key, sale_id, transaction_id } }: { event: Event }) {
	if (sale_id !== null && transaction_id !== null) return <StoryOfSale saleId={sale_id} transactionId={transaction_id} />;
	if (click_id?.startsWith('erased_')) return <p className="note">Who it was, was erased: no more is known of it.</p>;
	if (click_id !== null) return <Explained kind="click_id" value={click_id} />;
	if (customer_key !== null) return <Explained kind="customer_key" value={customer_key} />;
	return type === 'lead' ? <p className="note">It came without a click and without a key.</p> : null;
}

function StoryOfSale({ saleId, transactionId }: { saleId: number; transactionId: string }) {
	const query = useExplanation('transaction_id', transactionId);
	return (
		<Loaded query={query} lines={12}>
			{({ sales }) => {
				const explained = sales.find(({ sale }) => sale.id === saleId);
				return explained && <SaleExplanation explained={explained} />;
			}}
		</Loaded>
	);
}
