import { DAY_MS } from '../../src/domain/calendar.ts';

export interface Size {
	readonly partners: number;
	readonly clicks: number;
	readonly customers: number;
	readonly sales: number;
	readonly smallPrograms: number;
	readonly erasedIds: number;
	/** How many rows each other table has: audit log, notifications, inbox, webhook deliveries and so on. */
	readonly otherRows: number;
	readonly retiredDays: number;
}

/** Large enough that a scan of any table exceeds the budget. */
export const TEST_SIZE: Size = {
	partners: 20_000,
	clicks: 100_000,
	customers: 15_000,
	sales: 52_000,
	smallPrograms: 500,
	erasedIds: 20_000,
	otherRows: 25_000,
	retiredDays: 3_650,
};

/** A program after two good years. */
export const FULL_SIZE: Size = {
	partners: 20_000,
	clicks: 5_000_000,
	customers: 300_000,
	sales: 1_000_000,
	smallPrograms: 500,
	erasedIds: 20_000,
	otherRows: 200_000,
	retiredDays: 3_650,
};

export const AGE_DAYS = 400;

export interface Plan extends Size {
	/** When the program began, in ms. It is the start of a day. */
	readonly start: number;
	readonly now: number;
}

export function planOf(size: Size, now: number): Plan {
	return { ...size, now, start: Math.floor(now / DAY_MS) * DAY_MS - AGE_DAYS * DAY_MS };
}

export const OWNER_ID = 1;
export const WORKSPACE_ID = 1;
export const PROGRAM_ID = 1;
export const OWNER_TOKEN = 'ses_scale_owner';
export const PROGRAM_KEY = 'prg_scale_key';
/** Has the most clicks and sales, and signs in. */
export const BUSY_PARTNER = 1;
export const BUSY_TOKEN = 'ses_scale_busy_partner';
/** The session of a partner with a handful of sales. */
export const QUIET_TOKEN = 'ses_scale_quiet_partner';
/** A partner's user id is this number plus the partner's id. */
export const FIRST_PARTNER_USER = 100;
export const DEFAULT_RULE = 1;

/** Partners with higher ids have fewer sales. */
export function quietPartner({ partners }: Size): number {
	return partners - (partners % 3) - 2;
}
