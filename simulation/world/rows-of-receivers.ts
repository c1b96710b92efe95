export interface WebhookRow {
	program_id: number;
	/** JSON. */
	types: string;
}

export interface DeliveryRow {
	program_id: number;
	endpoint_id: number;
	type: string;
	subject_id: number;
}

export interface PostbackRow {
	id: number;
	partner_program_id: number;
	/** JSON. */
	events: string;
	disabled_for: string | null;
}

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
