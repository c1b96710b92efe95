/** An image or form named `cookie` would shadow `document.cookie`, so the prototype's getter is used. */
export function ownOf<Name extends keyof Document>(name: Name): Document[Name] {
	return Reflect.get(Document.prototype, name, document);
}

/** Excludes content of the shop's users. */
export const NOT_SKIPPED = ':not([data-tracker-skip],[data-tracker-skip] *)';

/** All matches outside content of the shop's users. */
export function findAll<Found extends Element = Element>(selector: string): NodeListOf<Found> {
	return ownOf('querySelectorAll').call<Document, [string], NodeListOf<Found>>(document, `:is(${selector})${NOT_SKIPPED}`);
}
