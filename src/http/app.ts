import type { Hono } from 'hono';
import type { ExtractSchema } from 'hono/types';
import { onceImported } from '../once.ts';
import type { AppEnv } from './app-env.ts';
import type { accountApp } from './people/account-app.ts';
import type { partnerApp } from './people/partner-app.ts';
import type { programApp } from './people/program-app.ts';
import { trackingApp } from './tracking-app.ts';

/** Lets hc<App> infer every response. */
export type App = Hono<AppEnv, ExtractSchema<typeof trackingApp | typeof accountApp | typeof partnerApp | typeof programApp>>;

const loadAccountApp = onceImported(() => import('./people/account-app.ts'));
const loadPartnerApp = onceImported(() => import('./people/partner-app.ts'));
const loadProgramApp = onceImported(() => import('./people/program-app.ts'));

const APPS = {
	tracking: () => trackingApp,
	accounts: async () => (await loadAccountApp()).accountApp,
	partners: async () => (await loadPartnerApp()).partnerApp,
	programs: async () => (await loadProgramApp()).programApp,
} as const;

export type Area = keyof typeof APPS;

/** The whole service. Areas other than tracking load on first use, because most isolates serve only tracking. */
export const app = {
	fetch: async (...call: Parameters<typeof trackingApp.fetch>): Promise<Response> => {
		const ofArea = await APPS[areaOf(trackingApp.getPath(call[0]))]();
		return ofArea.fetch(...call);
	},
};

export function areaOf(path: string): Area {
	if (/^\/(api\/v1\/(auth|me|workspaces|invitations|notifications|partner-accounts)(\/|$)|unsubscribe\/)/.test(path)) return 'accounts';
	if (/^\/(api\/v1\/(partner-programs|public)(\/|$)|p\/)/.test(path)) return 'partners';
	if (/^\/(api\/(v1\/(?!track\/)|tracking\/(events|performance)\/)|health$)/.test(path)) return 'programs';
	return 'tracking';
}
