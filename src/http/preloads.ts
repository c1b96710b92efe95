import type { AppContext } from './app-env.ts';

// Link headers let the browser request everything that a page needs at once, instead of script by script.

type Entry = 'dashboard' | 'portal';

/** The modules of frequent pages, by the path after the program's number. */
const MODULES: Readonly<Record<Entry, Readonly<Record<string, string>>>> = {
	dashboard: {
		'': 'dashboard/reports/overview.tsx',
		'/events': 'dashboard/reports/events.tsx',
		'/customers': 'dashboard/reports/customers.tsx',
		'/partners': 'dashboard/partners/partners.tsx',
		'/commissions': 'dashboard/money/commissions/commissions.tsx',
		'/payouts': 'dashboard/money/payouts/due.tsx',
	},
	portal: {
		'': 'portal/home/home.tsx',
		'/links': 'portal/links/links.tsx',
		'/commissions': 'portal/earnings/commissions.tsx',
		'/payouts': 'portal/earnings/payouts.tsx',
	},
};

/** The files of each module as `npm run build:pages` named them, cached as long as the isolate lives. */
const files = new Map<Entry, Readonly<Record<string, readonly string[]>>>();

/** Empty without a session token, because the API would refuse the requests. */
export async function preloadsOf(c: AppContext): Promise<readonly string[]> {
	if (!/(?:^|; )(?:__Host-)?tracker_session=/.test(c.req.header('Cookie') ?? '')) return [];
	const [, entry, id, page] = /^\/(dashboard|portal)(?:\/programs\/(\d{1,15})(\/\w+)?)?\/?$/.exec(c.req.path) ?? [];
	if (entry !== 'dashboard' && entry !== 'portal') return [];
	const calls = entry === 'portal' ? ['/api/v1/me'] : callsOfDashboard(id, page ?? '', c.req.query());
	const module = id === undefined ? undefined : MODULES[entry][page ?? ''];
	const modules = module === undefined ? [] : ((await filesOf(c, entry))[module] ?? []);
	return [...calls.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`), ...modules.map(linkToFile)];
}

function callsOfDashboard(id: string | undefined, page: string, search: Readonly<Record<string, string>>): string[] {
	const shell = ['/api/v1/me', '/api/v1/programs?limit=200'];
	if (id === undefined) return shell;
	// With a query, the overview requests another report.
	const isPlain = page === '' && Object.keys(search).length === 0;
	const report = isPlain ? [`/api/tracking/performance/${id}?period=30d&compare=previous`] : [];
	return [...shell, `/api/v1/programs/${id}`, ...report];
}

function linkToFile(file: string): string {
	return file.endsWith('.css') ? `</pages/${file}>; rel=preload; as=style; crossorigin` : `</pages/${file}>; rel=modulepreload`;
}

async function filesOf(c: AppContext, entry: Entry) {
	const known = files.get(entry);
	if (known) return known;
	const answer = await c.env.ASSETS.fetch(new URL(`/pages/${entry}/modules.json`, c.req.url));
	const read: Readonly<Record<string, readonly string[]>> = answer.ok ? await answer.json() : {};
	files.set(entry, read);
	return read;
}
