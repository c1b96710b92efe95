import { DAY_MS } from '../../src/domain/calendar.ts';

/** How large the filled program is. It stands beside small programs, whose rows lie between its own. */
export interface Size {
	readonly partners: number;
	readonly clicks: number;
	readonly customers: number;
	readonly sales: number;
	readonly smallPrograms: number;
	readonly erasedIds: number;
	/** Rows of each table beside the money: audit log, notifications, inbox, webhook deliveries, ... */
	readonly beside: number;
}

/** Large enough that a walk over any table of the program exceeds the budget. */
export const TEST_SIZE: Size = {
	partners: 20_000,
	clicks: 100_000,
	customers: 15_000,
	sales: 52_000,
	smallPrograms: 500,
	erasedIds: 20_000,
	beside: 25_000,
};

/** A program that has had two good years. */
export const FULL_SIZE: Size = {
	partners: 20_000,
	clicks: 5_000_000,
	customers: 300_000,
	sales: 1_000_000,
	smallPrograms: 500,
	erasedIds: 20_000,
	beside: 200_000,
};

export const AGE_DAYS = 400;

/** What the statements of the fill are made from. */
export interface Plan extends Size {
	/** When the program began, ms: the start of a day. */
	readonly start: number;
	readonly now: number;
}

export function planOf(size: Size, now: number): Plan {
	return { ...size, now, start: Math.floor(now / DAY_MS) * DAY_MS - AGE_DAYS * DAY_MS };
}

/** Ids and tokens of the filled program, which is made in a database without rows. */
export const OWNER_ID = 1;
export const WORKSPACE_ID = 1;
export const PROGRAM_ID = 1;
export const OWNER_TOKEN = 'ses_scale_owner';
export const PROGRAM_KEY = 'prg_scale_key';
/** The partner with the most clicks and sales, who signs in. */
export const BUSY_PARTNER = 1;
export const BUSY_TOKEN = 'ses_scale_busy_partner';
/** A partner with a handful of sales, who signs in as well. */
export const QUIET_TOKEN = 'ses_scale_quiet_partner';
/** The user of a partner is this much above it. */
export const FIRST_PARTNER_USER = 100;
export const DEFAULT_RULE = 1;

/** One that has little, by the size: the further down the list, the less. */
export function quietPartner({ partners }: Size): number {
	return partners - (partners % 3) - 2;
}
