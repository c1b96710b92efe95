import type { Area } from '../../src/http/app.ts';
import { accountApp } from '../../src/http/people/account-app.ts';
import { partnerApp } from '../../src/http/people/partner-app.ts';
import { programApp } from '../../src/http/people/program-app.ts';
import { trackingApp } from '../../src/http/tracking-app.ts';

export const ROUTES = {
	tracking: trackingApp.routes,
	accounts: accountApp.routes,
	partners: partnerApp.routes,
	programs: programApp.routes,
} satisfies Record<Area, unknown>;
