// The types of `window.tracker`, which the page's stub and /tracker.js define. To use them, write `import type {} from
// 'affiliate-tracker/browser'`, or `"types": ["affiliate-tracker/browser"]` in the compilerOptions.

/** A customer who signs up on a page. The script adds the click. */
export interface BrowserLead {
	/** Your stable id for the customer, if the page knows it. */
	customer_key?: string | undefined;
	email?: string | undefined;
}

export interface BrowserTracker {
	/** Reports this visitor's sign-up. */
	(command: 'lead', lead?: BrowserLead): unknown;
	/**
	 * Calls the callback with the click id, or with undefined if there is none. If a browser blocks the script, the callback is never
	 * called.
	 */
	(command: 'getClickId', callback: (clickId: string | undefined) => void): unknown;
	/** True allows storing and sending data. False deletes the click and sends nothing more. */
	(command: 'consent', isAllowed: boolean): unknown;
	/** Calls that the stub queues until the script has loaded. */
	q?: unknown;
}

declare global {
	interface Window {
		/** Undefined on a page without the stub. */
		tracker?: BrowserTracker;
	}
}
