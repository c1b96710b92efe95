import { CLICK } from './click-id.ts';
import { findAll, ownOf } from './own-document.ts';

/** Maintains a hidden field with the click id in each form marked `data-tracker-form`. */
export function fillForms(clickId: string | undefined): void {
	for (const form of findAll('form[data-tracker-form]')) {
		// The prototype's method, because a form field may be named `querySelector`.
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
