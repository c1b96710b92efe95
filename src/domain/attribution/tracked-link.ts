import type { Destination } from './landing-page.ts';
import type { DomainHolder } from './own-domain.ts';

export interface TrackedLink extends Destination, DomainHolder {
	readonly id: number;
	readonly cookieWindowDays: number;
	readonly timeZone: string;
	readonly allowedOrigins: readonly string[];
}
