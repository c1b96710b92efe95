// The types of `window.tracker`, which the page's stub and /tracker.js make: `import type {} from 'affiliate-tracker/browser'`,
// or `"types": ["affiliate-tracker/browser"]` in the compilerOptions.

/** Who signs up, for the lead of a page. The click is added by the script. */
export interface BrowserLead {
	/** Your own stable id of the customer, where the page knows it. */
	customer_key?: string | undefined;
	email?: string | undefined;
}

export interface BrowserTracker {
	/** Reports the sign-up of this visitor. */
	(command: 'lead', lead?: BrowserLead): unknown;
	/** Tells the click id, or undefined where there is none. A browser that blocks the script never calls back. */
	(command: 'getClickId', callback: (clickId: string | undefined) => void): unknown;
	/** True allows to store and send; false forgets the click, and sends nothing more. */
	(command: 'consent', isAllowed: boolean): unknown;
	/** The calls that the stub keeps until the script has loaded. */
	q?: unknown;
}

declare global {
	interface Window {
		/** Undefined in a page without the stub. */
		tracker?: BrowserTracker;
	}
}
