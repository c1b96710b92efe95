/** The prototype's getter, because an image or form named `cookie` would shadow `document.cookie`. */
export function ownOf<Name extends keyof Document>(name: Name): Document[Name] {
	return Reflect.get(Document.prototype, name, document);
}

/** Excludes content that the shop's users wrote. */
export const NOT_SKIPPED = ':not([data-tracker-skip],[data-tracker-skip] *)';

export function findAll<Found extends Element = Element>(selector: string): NodeListOf<Found> {
	return ownOf('querySelectorAll').call<Document, [string], NodeListOf<Found>>(document, `:is(${selector})${NOT_SKIPPED}`);
}
