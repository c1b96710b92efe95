// What the script tag says: <script src="https://.../tracker.js" data-...>.

const { currentScript } = document;
/** The tag, and nothing that somebody's HTML passes off as it: an image may be named `currentScript`. */
const script = currentScript instanceof HTMLScriptElement ? currentScript : undefined;

/** The tag's `data-` attributes. */
export const settings: DOMStringMap = script?.dataset ?? {};

/** Where the service is: beside the script, unless `data-api` says otherwise. */
export const base = new URL(settings['api']?.replace(/\/?$/, '/') ?? '.', script?.src || location.href);

/** Sister domains that a click may be handed to, and taken from. */
export const domains = settings['domains']?.toLowerCase().match(/[^\s,]+/g) ?? [];

/** Test events only (contract, section 1). */
export const testMode = settings['testMode'] === undefined ? {} : { additional_data: { test_mode: true } };
