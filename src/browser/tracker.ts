import type { Click } from './click-id.ts';
import { currentClick, forget, noticeLanding, reportLanding } from './click.ts';
import type { decorate } from './extras.ts';
import { ownOf } from './own-document.ts';
import { send } from './send.ts';
import { base, domains, settings } from './settings.ts';
import { SETTLE_MS } from './times.ts';

// /tracker.js: the part that every page loads. At most 2 KB gzip, and nothing in it may throw into the page: the build
// (scripts/browser-scripts.ts) holds the one and wraps it for the other.

/** Names the build of the second chunk, which is loaded only where a page has use for it. */
declare const EXTRAS_VERSION: string;

/** Buy Buttons and Pricing Tables by the attribute that both must have. */
const DECORATED = '[data-tracker-form],[href*="buy.stripe.com"],[publishable-key]';

type Call = [command: string, argument?: unknown];
/** Before the script has loaded, the page's stub, which keeps the calls in `q`. */
type Tracker = ((...call: Call) => unknown) & { q?: Iterable<Call>; on?: true };

declare global {
	interface Window {
		tracker?: Tracker;
	}
	interface Navigator {
		readonly globalPrivacyControl?: boolean;
	}
	interface Document {
		readonly prerendering?: boolean;
	}
}

/** Global Privacy Control is a no that only an explicit yes outweighs. */
let isAllowed = settings['requireConsent'] === undefined && !navigator.globalPrivacyControl;
let allow: (() => void) | undefined;
const allowed = new Promise<void>((resolve) => {
	allow = resolve;
});
/** The reports under way: commands that need the click wait for them. */
let settled: Promise<unknown> = Promise.resolve();
let extras: Promise<{ readonly decorate: typeof decorate }> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const observer = new MutationObserver(decorateSoon);

const { tracker: found } = window;
/** The page's, or what an earlier tag made; no form or frame of that name. */
const stub = typeof found === 'function' ? found : undefined;

const commands: Record<string, (argument: unknown) => unknown> = {
	/** `{customer_key, email}` of the visitor who signs up; waits for consent. The service's answer, or undefined without a click. */
	async lead(fields) {
		await allowed;
		await settled;
		const click = knownClick();
		return click && send('lead', { ...Object(fields), click_id: click.id });
	},
	/** The click id, or undefined where there is none or it may not be used; by callback and promise. */
	async getClickId(callback) {
		await settled;
		const id = knownClick()?.id;
		if (typeof callback === 'function') callback(id);
		return id;
	},
	/** True allows; anything else forgets what was kept, and sends nothing more. */
	consent(answer) {
		isAllowed = answer === true;
		if (!isAllowed) forget();
		proceed();
	},
};

function knownClick(): Click | undefined {
	return isAllowed ? currentClick() : undefined;
}

/** Goes on with what may be done by now. */
function proceed(): void {
	if (isAllowed) allow?.();
	settled = settled.then(() => reportLanding(() => isAllowed)).then(decorateSoon, decorateSoon);
}

/** Has the click written into the page's links and forms, now and whenever the page changes. */
function decorateSoon(): void {
	timer ??= setTimeout(() => {
		timer = undefined;
		const click = knownClick();
		if (click) {
			observer.observe(document, { childList: true, subtree: true, attributeFilter: ['href'] });
			if (domains[0] || ownOf('querySelector').call(document, DECORATED)) {
				extras ??= import(`${base.href}tracker-extras.js?v=${EXTRAS_VERSION}`);
			}
		}
		extras?.then((loaded) => loaded.decorate(click, domains)).catch(() => undefined);
	}, SETTLE_MS);
}

/** For what the page or the browser calls. */
function look(): void {
	try {
		noticeLanding();
		proceed();
	} catch {
		// Never into the page.
	}
}

const tracker: Tracker = (command, argument) => commands[command]?.(argument);

function start(): void {
	window.tracker = tracker;
	tracker.on = true;
	for (const name of ['pushState', 'replaceState'] as const) {
		const original = history[name];
		history[name] = (...change) => {
			original.apply(history, change);
			look();
		};
	}
	addEventListener('popstate', look);
	look();
	for (const call of stub?.q ?? []) tracker(...call);
}

// A page that is rendered ahead of a visit may never be seen. A second tag changes nothing.
if (!stub?.on) {
	if (ownOf('prerendering')) addEventListener('prerenderingchange', start, true);
	else start();
}
