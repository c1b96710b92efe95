// The types of `window.tracker`, which the page's stub and /tracker.js define: `import type {} from 'affiliate-tracker/browser'`, or
// `"types": ["affiliate-tracker/browser"]` in the compilerOptions.

/** Who signs up, for a lead from a page. The script adds the click. */
export interface BrowserLead {
	/** Your own stable id of the customer, if the page knows it. */
	customer_key?: string | undefined;
	email?: string | undefined;
}

export interface BrowserTracker {
	/** Reports the sign-up of this visitor. */
	(command: 'lead', lead?: BrowserLead): unknown;
	/**
	 * Passes the click id to the callback, or undefined if there is none. If a browser blocks the script, the callback is never called.
	 */
	(command: 'getClickId', callback: (clickId: string | undefined) => void): unknown;
	/** True allows storing and sending; false forgets the click and sends nothing more. */
	(command: 'consent', isAllowed: boolean): unknown;
	/** The stub's calls, until the script has loaded. */
	q?: unknown;
}

declare global {
	interface Window {
		/** Undefined on a page without the stub. */
		tracker?: BrowserTracker;
	}
}
