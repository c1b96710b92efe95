/**
 * What the document itself has under a name: an image or a form of somebody's HTML may bear the same name, and then is what
 * `document.cookie` means.
 */
export function ownOf<Name extends keyof Document>(name: Name): Document[Name] {
	return Reflect.get(Document.prototype, name, document);
}

/** What stands in content of the shop's users gets nothing. */
export const NOT_SKIPPED = ':not([data-tracker-skip],[data-tracker-skip] *)';

/** All that the selector finds, but for what is in content of users. */
export function findAll<Found extends Element = Element>(selector: string): NodeListOf<Found> {
	return ownOf('querySelectorAll').call<Document, [string], NodeListOf<Found>>(document, `:is(${selector})${NOT_SKIPPED}`);
}
