export interface RuleRow {
	id: number;
	program_id: number;
	partner_id: number | null;
	group_id: number | null;
	product_id: string | null;
	version_id: number;
	type: 'percent' | 'flat';
	basis_points: number | null;
	amount_cents: number | null;
	currency: string | null;
	recurring_months: number | null;
	hold_days: number;
}

export interface LinkRow {
	id: number;
	/** Null for good once the partner's membership ends. */
	partner_program_id: number | null;
}

/** A partner, and the user who accepted the invitation. */
export interface PartnerRow {
	id: number;
	workspace_id: number;
	email: string;
	user_id: number | null;
}

export interface ApplicationRow {
	id: number;
	program_id: number;
	email: string;
	name: string;
	message: string | null;
	status: 'open' | 'approved' | 'declined';
	partner_id: number | null;
	decided_by: number | null;
}

export interface MembershipRow {
	id: number;
	program_id: number;
	partner_id: number;
	group_id: number | null;
	status: 'active' | 'suspended' | 'ended';
	created_day: string | null;
}

/** The currency can change until the first sale, the time zone until the first event. */
export interface ProgramRow {
	id: number;
	currency: string;
	time_zone: string;
	created_at: number;
	/** Null: for ever. */
	click_retention_days: number | null;
	/** When the job looks for old clicks. */
	retire_clicks_at: number | null;
	old_clicks_from: number;
}

/** An active owner or admin of the program's workspace. */
export interface ReviewerRow {
	program_id: number;
	user_id: number;
}

export interface AuditRow {
	program_id: number | null;
	action: string;
	operation: string | null;
	commission_ids: string | null;
}
