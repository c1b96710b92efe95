import '../ui/theme.css';
import '../ui/typeface.css';
import '../ui/ui.css';
import '../layout/shell.css';
import '../layout/layout.css';
import '../layout/gate.css';
import { answerOf, api, ApiError } from '../api.ts';
import { hasSessionEnded } from '../session-ended.ts';
import { showTheme } from '../ui/theme.ts';

// Sign-in for the dashboard and the portal. The page works before this script loads, and uses no framework.

const BASE = location.pathname.startsWith('/portal') ? '/portal' : '/dashboard';

showTheme();
const form = find('form', HTMLFormElement);
const button = find('button', HTMLButtonElement);
const refused = find('#refused', HTMLElement);
find('.logo', HTMLAnchorElement).href = BASE;
find('#sign-up', HTMLElement).hidden = BASE === '/portal';
find('#ended', HTMLElement).hidden = !hasSessionEnded();

for (const input of form.querySelectorAll('input')) {
	input.addEventListener('invalid', (event) => {
		event.preventDefault();
		showError(input);
		form.querySelector<HTMLInputElement>(':invalid')?.focus();
	});
	// Typing clears an error once it is fixed, but never shows a new one.
	input.addEventListener('input', () => input.validity.valid && showError(input));
}
form.addEventListener('submit', (event) => {
	event.preventDefault();
	void signIn();
});
button.disabled = false;

async function signIn(): Promise<void> {
	if (button.ariaDisabled === 'true') return;
	setPending(true);
	refused.hidden = true;
	const fields = new FormData(form);
	const [email, password] = [textOf(fields, 'email').trim(), textOf(fields, 'password')];
	try {
		await answerOf(api.v1.auth['sign-in'].$post({ json: { email, password, cookie: true } }));
		location.assign(nextAddress());
	} catch (error) {
		setPending(false);
		refused.textContent = error instanceof ApiError ? error.message : 'The sign-in failed. Try again.';
		refused.hidden = false;
	}
}

function textOf(fields: FormData, name: string): string {
	const value = fields.get(name);
	return typeof value === 'string' ? value : '';
}

/** Accepts only URLs of these pages, so that no link can send a person to another site after sign-in. */
function nextAddress(): string {
	const next = new URLSearchParams(location.search).get('next');
	return next?.startsWith('/') && !next.startsWith('//') ? BASE + next : BASE;
}

/** The pending button is not disabled, because it would lose the focus. */
function setPending(isPending: boolean): void {
	button.ariaDisabled = String(isPending);
	button.toggleAttribute('data-pending', isPending);
}

function showError(input: HTMLInputElement): void {
	const error = find(`#${input.name}-error`, HTMLElement);
	error.textContent = input.validationMessage;
	error.hidden = input.validity.valid;
	input.toggleAttribute('data-invalid', !input.validity.valid);
	input.ariaInvalid = String(!input.validity.valid);
	input.setAttribute('aria-describedby', error.id);
}

function find<Found extends Element>(selector: string, kind: abstract new () => Found): Found {
	const found = document.querySelector(selector);
	if (!(found instanceof kind)) throw new Error(`The page has no ${selector}`);
	return found;
}
