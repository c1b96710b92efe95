/** What a click needs to know of its referral link. */
export interface TrackedLink {
	readonly id: number;
	readonly programId: number;
	readonly cookieWindowDays: number;
	readonly timeZone: string;
	readonly allowedOrigins: readonly string[];
}
