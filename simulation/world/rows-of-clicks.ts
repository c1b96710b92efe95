export interface ClickRow {
	id: number;
	click_id: string;
	program_id: number;
	referral_link_id: number;
	is_test: number;
	is_bot: number;
	clicked_at: number;
	click_day: string;
	country: string | null;
	source: string | null;
	sub_id: string | null;
	referrer_url: string | null;
}

export interface ErasedIdRow {
	program_id: number;
	/** Keyed: see erased.ts. */
	hash: string;
}

export interface RetiredDayRow {
	program_id: number;
	day: string;
	clicks: number;
	files: number;
	/** The clicks that are in no file. */
	deleted: number;
}
