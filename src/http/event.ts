import { EVENT_TYPES } from '../domain/reporting/event-position.ts';
import { invalid } from '../domain/rejection.ts';
import type { EventReference, EventTimeline } from '../reporting/read-event.ts';
import type { AppContext } from './app-env.ts';
import { eventOnWire } from './event-on-wire.ts';
import { customerOnWire, journeyStepOnWire } from './management/customers/customers.ts';
import { saleOnWire } from './management/reporting/explanations.ts';
import { pathId } from './validate.ts';

/** Rejects with 400 if the path's event is not valid. */
export function askedEvent(c: AppContext): EventReference {
	const type = EVENT_TYPES.find((known) => known === c.req.param('type'));
	if (type === undefined) throw invalid('type in the path must be click, lead, sale or refund');
	return type === 'click' ? { type, id: c.req.param('eventId') ?? '' } : { type, id: pathId(c, 'eventId') };
}

export function timelineOnWire({ event, lineItems, visit, customers, steps, sales }: EventTimeline) {
	return {
		event: { ...eventOnWire(event), line_items: lineItems },
		visit: visit && {
			link_id: visit.linkId,
			page_url: visit.pageUrl,
			page_title: visit.pageTitle,
			referrer_url: visit.referrerUrl,
			source: visit.source,
			user_agent: visit.userAgent,
			language: visit.language,
			time_zone: visit.timeZone,
			sub_id: visit.subId,
		},
		customers: customers.map(customerOnWire),
		journey: steps.map(journeyStepOnWire),
		sales: sales.map(saleOnWire),
	};
}
