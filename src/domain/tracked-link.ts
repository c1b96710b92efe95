import type { Destination } from './landing-page.ts';

/** What a click needs to know of its referral link. */
export interface TrackedLink extends Destination {
	readonly id: number;
	readonly programId: number;
	readonly cookieWindowDays: number;
	readonly timeZone: string;
	readonly allowedOrigins: readonly string[];
}
