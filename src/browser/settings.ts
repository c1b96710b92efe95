import { ownOf } from './own-document.ts';

// What the script tag says: <script src="https://.../tracker.js" data-...>.

/** The tag. While a module runs the browser names none: then the first module of our name. */
const script: { readonly dataset: DOMStringMap; readonly src?: string } | null =
	ownOf('currentScript') ??
	ownOf('querySelector').call<Document, [string], HTMLScriptElement | null>(document, 'script[type=module][src*="tracker.js"]');

/** The tag's `data-` attributes. */
export const settings: DOMStringMap = script?.dataset ?? {};

/** Where the service is: beside the script, unless `data-api` says otherwise. */
export const base = new URL(settings['api']?.replace(/\/?$/, '/') ?? '.', script?.src || location.href);

/** Sister domains that a click may be handed to, and taken from. */
export const domains = settings['domains']?.toLowerCase().match(/[^\s,]+/g) ?? [];

/** Test events only (contract, section 1). A template may say `false`. */
export const testMode = (settings['testMode'] ?? 'false') === 'false' ? {} : { additional_data: { test_mode: true } };
