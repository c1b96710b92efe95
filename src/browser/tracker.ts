import type { Click } from './click-id.ts';
import { currentClick, forget, noticeLanding, reportLanding } from './click.ts';
import type { decorate } from './extras.ts';
import { ownOf } from './own-document.ts';
import { send } from './send.ts';
import { base, domains, settings } from './settings.ts';
import { SETTLE_MS } from './times.ts';

// /tracker.js, which every page loads. The build (scripts/browser-scripts.ts) keeps it below 2 KB gzip and wraps it so that it cannot throw
// into the page.

/** The version of the second script, which is loaded only if a page needs it. */
declare const EXTRAS_VERSION: string;

/** Buy Buttons and Pricing Tables both have the attribute `publishable-key`. */
const DECORATED = '[data-tracker-form],[href*="buy.stripe.com"],[publishable-key]';

type Call = [command: string, argument?: unknown];
/** This script's function, or the page's stub, which queues calls in `q` until the script has loaded. */
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

/** Global Privacy Control counts as a refusal until the visitor explicitly consents. */
let isAllowed = settings['requireConsent'] === undefined && !navigator.globalPrivacyControl;
let allow: (() => void) | undefined;
const allowed = new Promise<void>((resolve) => {
	allow = resolve;
});
/** Pending reports. Commands that need the click wait for them. */
let settled: Promise<unknown> = Promise.resolve();
let extras: Promise<{ readonly decorate: typeof decorate }> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const observer = new MutationObserver(decorateSoon);

const { tracker: found } = window;
/** The page's stub or an earlier copy of this script, but not a form or frame named `tracker`. */
const stub = typeof found === 'function' ? found : undefined;

const commands: Record<string, (argument: unknown) => unknown> = {
	/**
	 * Reports a sign-up, with `{customer_key, email}`, once there is consent. Resolves with the service's response, or undefined without a
	 * click.
	 */
	async lead(fields) {
		await allowed;
		await settled;
		const click = knownClick();
		return click && send('lead', { ...Object(fields), click_id: click.id });
	},
	/** Passes the click id to the callback and resolves with it. Undefined if there is none or it may not be used. */
	async getClickId(callback) {
		await settled;
		const id = knownClick()?.id;
		if (typeof callback === 'function') callback(id);
		return id;
	},
	/** True grants consent. Any other value deletes the stored click, and nothing more is sent. */
	consent(answer) {
		isAllowed = answer === true;
		if (!isAllowed) forget();
		proceed();
	},
};

function knownClick(): Click | undefined {
	return isAllowed ? currentClick() : undefined;
}

/** Reports what consent allows so far. */
function proceed(): void {
	if (isAllowed) allow?.();
	settled = settled.then(() => reportLanding(() => isAllowed)).then(decorateSoon, decorateSoon);
}

/** Writes the click into links and forms, soon and after every change of the page. */
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

/** Runs in calls of the page and the browser, so it must not throw. */
function look(): void {
	try {
		noticeLanding();
		proceed();
	} catch {}
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

// A prerendered page may never be seen, so the script waits. A second script tag has no effect.
if (!stub?.on) {
	if (ownOf('prerendering')) addEventListener('prerenderingchange', start, true);
	else start();
}
