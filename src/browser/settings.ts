import { ownOf } from './own-document.ts';

// The settings of the script tag: <script src="https://.../tracker.js" data-...>.

/** Modules have no `currentScript`, so the first module script with our name is used. */
const script: { readonly dataset: DOMStringMap; readonly src?: string } | null =
	ownOf('currentScript') ??
	ownOf('querySelector').call<Document, [string], HTMLScriptElement | null>(document, 'script[type=module][src*="tracker.js"]');

export const settings: DOMStringMap = script?.dataset ?? {};

/** The service is where the script was loaded from, unless `data-api` says otherwise. */
export const base = new URL(settings['api']?.replace(/\/?$/, '/') ?? '.', script?.src || location.href);

/** Sister domains, which may hand clicks over to each other. */
export const domains = settings['domains']?.toLowerCase().match(/[^\s,]+/g) ?? [];

/** Sends only test events (contract, section 1). A template may also write `false`. */
export const testMode = (settings['testMode'] ?? 'false') === 'false' ? {} : { additional_data: { test_mode: true } };
