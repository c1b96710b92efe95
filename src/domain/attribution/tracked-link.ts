import type { Destination } from './landing-page.ts';
import type { DomainHolder } from './own-domain.ts';

/** What a click needs from its link. */
export interface TrackedLink extends Destination, DomainHolder {
	readonly id: number;
	readonly cookieWindowDays: number;
	readonly timeZone: string;
	readonly allowedOrigins: readonly string[];
}
