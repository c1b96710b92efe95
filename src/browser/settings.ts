import { ownOf } from './own-document.ts';

// The settings of the script tag: <script src="https://.../tracker.js" data-...>.

/** While a module runs, the browser names no current script, so the first module with our name is taken. */
const script: { readonly dataset: DOMStringMap; readonly src?: string } | null =
	ownOf('currentScript') ??
	ownOf('querySelector').call<Document, [string], HTMLScriptElement | null>(document, 'script[type=module][src*="tracker.js"]');

export const settings: DOMStringMap = script?.dataset ?? {};

/** The service's address: the script's own, unless `data-api` says otherwise. */
export const base = new URL(settings['api']?.replace(/\/?$/, '/') ?? '.', script?.src || location.href);

/** Sister domains, which may hand over clicks to each other. */
export const domains = settings['domains']?.toLowerCase().match(/[^\s,]+/g) ?? [];

/** Only test events (contract, section 1). A template may write `false`. */
export const testMode = (settings['testMode'] ?? 'false') === 'false' ? {} : { additional_data: { test_mode: true } };
