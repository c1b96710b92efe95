// Who outside is told what happens, and what of, as it is stored.

/** A backend that is told what happens in a program. */
export interface WebhookRow {
	program_id: number;
	/** JSON. */
	types: string;
}

/** What one was told, or is to be told. */
export interface DeliveryRow {
	program_id: number;
	endpoint_id: number;
	type: string;
	subject_id: number;
}

/** A partner's system that is told what links brought. */
export interface PostbackRow {
	id: number;
	partner_program_id: number;
	/** JSON. */
	events: string;
	disabled_for: string | null;
}

/** What one is called for. */
export interface PostbackCallRow {
	id: number;
	postback_id: number;
	event: string;
	subject_id: number;
	amount_cents: number;
	currency: string;
	state: 'pending' | 'delivered' | 'failed';
	attempts: number;
	last_error: string | null;
}
