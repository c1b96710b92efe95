import { CLICK } from './click-id.ts';

/** Keeps a hidden field with the click id in every form that is marked `data-tracker-form`. */
export function fillForms(clickId: string | undefined): void {
	for (const form of document.querySelectorAll('form[data-tracker-form]')) {
		let field = form.querySelector<HTMLInputElement>(`input[name="${CLICK}"]`);
		if (!field) {
			if (clickId === undefined) continue;
			field = document.createElement('input');
			field.type = 'hidden';
			field.name = CLICK;
			form.append(field);
		}
		if (field.value !== (clickId ?? '')) field.value = clickId ?? '';
	}
}
