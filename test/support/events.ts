import { env } from 'cloudflare:workers';
import type { EventPosition, EventType } from '../../src/domain/reporting/event-position.ts';
import type { Funnel } from './funnel.ts';
import { type Answer, api } from './world.ts';

export interface WireEvent {
	readonly type: EventType;
	readonly id: number;
	readonly at: string;
	readonly [field: string]: unknown;
}

/** GET /api/v1/cli/events. */
export function eventsByKey(
	of: { readonly apiToken: string },
	query = '',
	headers: Record<string, string> = {},
): Promise<Answer<WireEvent[]>> {
	return api(`/api/v1/cli/events${query}`, { token: of.apiToken, headers });
}

/** Returns the test event's id. */
export async function insertTestEvent(of: Pick<Funnel, 'id' | 'shortLink'>, { type, at }: Omit<EventPosition, 'id'>): Promise<number> {
	const op = crypto.randomUUID();
	const insertSale = `INSERT INTO affiliate_sale_events (program_id, processor_event_id, is_test, amount_cents, currency, sale_type, is_recurring,
		inside_window, commission_state, no_commission_reason, created_at, sale_day, op_id)
		VALUES (?1, ?3, 1, 5, 'USD', 'payment', 0, 0, 'none', 'test_mode', ?2, '2026-01-01', ?3) RETURNING id`;
	const statements = {
		click: `INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day)
			VALUES (?3, (SELECT coalesce(max(id), 0) + 1 FROM affiliate_click_events), ?1, (SELECT id FROM referral_links WHERE short_link = '${of.shortLink}'), 1, 0, ?2, '2026-01-01') RETURNING id`,
		lead: `INSERT INTO affiliate_lead_events (program_id, customer_key, is_test, created_at, op_id) VALUES (?1, ?3, 1, ?2, ?3) RETURNING id`,
		sale: insertSale,
		refund: `INSERT INTO refund_events (program_id, sale_id, refund_id, is_test, amount_cents, outcome, created_at, refund_day, op_id)
			VALUES (?1, (SELECT min(id) FROM affiliate_sale_events WHERE program_id = ?1), ?3, 1, 5, 'test', ?2, '2026-01-01', ?3) RETURNING id`,
	};
	const id = await env.DB.prepare(statements[type]).bind(of.id, at, op).first<number>('id');
	if (id === null) throw new Error(`The ${type} was not stored`);
	return id;
}
