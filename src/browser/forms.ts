import { CLICK } from './click-id.ts';
import { findAll, ownOf } from './own-document.ts';

/** Keeps a hidden field with the click id in every form that is marked `data-tracker-form`. */
export function fillForms(clickId: string | undefined): void {
	for (const form of findAll('form[data-tracker-form]')) {
		// Of the prototype, as with the document: a field may be named like what its form has itself.
		let field = Element.prototype.querySelector.call<Element, [string], HTMLInputElement | null>(form, `input[name="${CLICK}"]`);
		if (!field) {
			if (clickId === undefined) continue;
			field = ownOf('createElement').call<Document, ['input'], HTMLInputElement>(document, 'input');
			field.type = 'hidden';
			field.name = CLICK;
			Element.prototype.append.call(form, field);
		}
		if (field.value !== (clickId ?? '')) field.value = clickId ?? '';
	}
}
