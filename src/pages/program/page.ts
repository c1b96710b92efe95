import { showTheme } from '../ui/theme.ts';

// Submits the form on a program's public page (src/http/program-pages.ts), which is readable without this script.

showTheme();

document.querySelectorAll('form').forEach(openForm);

/** Stores when this browser sent an application. */
function appliedAt(slug: string): string {
	return `applied ${slug}`;
}

function openForm(form: HTMLFormElement): void {
	const { slug = '', program = '', signedIn } = form.dataset;
	form.noValidate = true;
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		if (isFilledIn(form)) void send(form);
	});
	form.addEventListener('input', ({ target }) => {
		if (isField(target) && target.hasAttribute('aria-invalid')) showProblem(target);
	});
	const before = localStorage.getItem(appliedAt(slug));
	if (before !== null) {
		const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date(before));
		showSent(
			'You have applied',
			`You applied to ${program} on ${day} with this browser. The answer will be sent to the email address that you entered.`,
			form,
		);
	}
	if (signedIn !== undefined) void fillIn(form);
}

async function send(form: HTMLFormElement): Promise<void> {
	const { slug = '', program = '' } = form.dataset;
	const fields = new FormData(form);
	const terms = fields.get('terms');
	const button = form.querySelector('button');
	if (button?.disabled) return;
	if (button) button.disabled = true;
	shown('refused', false);
	const [name, email, website, message, fax] = ['name', 'email', 'website', 'message', 'fax'].map((field) => textOf(fields, field));
	const body = {
		name,
		email,
		website: website && addressOf(website),
		message,
		fax,
		accepted_terms_version: terms === null ? undefined : Number(terms),
	};
	try {
		await ask(`public/programs/${slug}/applications`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		});
		localStorage.setItem(appliedAt(slug), new Date().toISOString());
		const answered = `Your application to ${program} has been received. The answer will be sent to ${email ?? 'you'}. Check your spam folder too.`;
		showSent('Thank you', answered, form);
		document.querySelector<HTMLElement>('#sent')?.focus();
	} catch (error) {
		await showRefusal(slug, error);
	} finally {
		if (button) button.disabled = false;
	}
}

/** The fields that this page needs. */
interface Program {
	readonly terms: { readonly text: string; readonly version: number } | null;
}

/** Shows the service's words if it answered. Links to the terms if they have changed. */
async function showRefusal(slug: string, error: unknown): Promise<void> {
	const refused = document.querySelector('#refused');
	const isOfService = error instanceof Refused;
	if (refused) refused.textContent = isOfService ? error.message : 'The service could not be reached. Try again.';
	shown('refused', true);
	const box = document.querySelector<HTMLInputElement>('[name=terms]');
	if (!isOfService || error.status !== 409 || !box) return;
	const program = await ask<Program>(`public/programs/${slug}`).catch(() => undefined);
	if (!program?.terms) return;
	const { text, version } = program.terms;
	const place = document.querySelector('#terms-text');
	if (place) place.textContent = text;
	for (const shownVersion of document.querySelectorAll('.terms-version')) shownVersion.textContent = String(version);
	box.checked = box.value === String(version);
	box.value = String(version);
}

class Refused extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

async function ask<Data>(path: string, request?: RequestInit): Promise<Data> {
	const answer = await fetch(`/api/v1/${path}`, request);
	const { data, error }: { data: Data; error?: string } = await answer.json();
	if (!answer.ok) throw new Refused(answer.status, error ?? `The service answered ${answer.status}.`);
	return data;
}

/** Shows each problem and focuses the first invalid field. */
function isFilledIn(form: HTMLFormElement): boolean {
	const wrong = [...form.elements].filter(isField).filter((field) => !showProblem(field));
	wrong[0]?.focus();
	return wrong.length === 0;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

function isField(element: unknown): element is Field {
	return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** Returns whether the field is valid. */
function showProblem(field: Field): boolean {
	const { valid } = field.validity;
	const place = document.querySelector(`#${field.name}-problem`);
	if (place) place.textContent = valid ? '' : problemOf(field);
	if (valid) field.removeAttribute('aria-invalid');
	else field.setAttribute('aria-invalid', 'true');
	return valid;
}

function problemOf({ name, validity }: Field): string {
	if (name === 'terms') return 'Read and accept the terms.';
	return validity.typeMismatch ? 'Enter an email address such as you@example.com.' : 'Fill in this field.';
}

/** Accepts "blog.example" without a scheme. */
function addressOf(website: string): string {
	return /^[a-z]+:\/\//i.test(website) ? website : `https://${website}`;
}

/** Replaces the form with a confirmation, from which another application can be started. */
function showSent(title: string, text: string, form: HTMLFormElement): void {
	const place = document.querySelector('#sent');
	if (!place) return;
	const heading = document.createElement('h3');
	heading.textContent = title;
	const again = document.createElement('button');
	again.type = 'button';
	again.className = 'button';
	again.textContent = 'Send another application';
	again.addEventListener('click', () => {
		form.hidden = false;
		shown('sent', false);
		form.querySelector('input')?.focus();
	});
	const paragraph = document.createElement('p');
	paragraph.className = 'wrap';
	paragraph.textContent = text;
	place.replaceChildren(heading, paragraph, again);
	shown('known', false);
	form.reset();
	form.hidden = true;
	shown('sent', true);
}

/** Fills in what is known about a signed-in person. Partners of the program need not apply. */
async function fillIn(form: HTMLFormElement): Promise<void> {
	const { program, domain } = form.dataset;
	const me = await ask<Me>('me').catch(() => undefined);
	const known = document.querySelector('#known');
	if (me === undefined || !known) return;
	const { user, partner_accounts: accounts } = me;
	const memberships = accounts.flatMap(({ partner_programs: programs }) => programs);
	if (memberships.some(({ status, program: own }) => status !== 'ended' && own.name === program && (own.domain ?? '') === domain)) {
		const portal = document.createElement('a');
		portal.href = '/portal';
		portal.textContent = 'Open the portal';
		known.replaceChildren(`You are already a partner of ${program}, as ${user.email}. `, portal);
		form.hidden = true;
	} else {
		for (const name of ['name', 'email'] as const) {
			const field = form.elements.namedItem(name);
			if (field instanceof HTMLInputElement && field.value === '') field.value = user[name];
		}
		known.textContent = `You are signed in as ${user.email}. If you apply with this address, your existing account is used.`;
	}
	shown('known', true);
}

/** The fields of /api/v1/me that this page needs. */
interface Me {
	readonly user: { readonly name: string; readonly email: string };
	readonly partner_accounts: readonly {
		readonly partner_programs: readonly {
			readonly status: string;
			readonly program: { readonly name: string; readonly domain: string | null };
		}[];
	}[];
}

function shown(id: string, isShown: boolean): void {
	const element = document.querySelector<HTMLElement>(`#${id}`);
	if (element) element.hidden = !isShown;
}

function textOf(fields: FormData, name: string): string | undefined {
	const value = fields.get(name);
	return (typeof value === 'string' && value.trim()) || undefined;
}
