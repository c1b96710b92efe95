/** A backend's webhook endpoint. */
export interface WebhookRow {
	program_id: number;
	/** JSON. */
	types: string;
}

/** A webhook delivery. */
export interface DeliveryRow {
	program_id: number;
	endpoint_id: number;
	type: string;
	subject_id: number;
}

/** A partner's postback URL. */
export interface PostbackRow {
	id: number;
	partner_program_id: number;
	/** JSON. */
	events: string;
	disabled_for: string | null;
}

/** A postback delivery. */
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
