// Loaded by docs.js only on the reader's own machine. Only `npm run dev` provides the data of the demo program, so other servers of these
// pages show no forms.

const MOST_SHOWN = 20_000;

const CALLERS = {
	key: 'Goes to this service with the key of the demo program.',
	owner: 'Goes to this service as the owner of the demo program.',
	partner: 'Goes to this service as the partner of the demo program.',
	none: 'Goes to this service, without authorization.',
};

const answer = await fetch('/docs/try.json');
if (answer.ok) {
	const demo = await answer.json();
	for (const section of document.querySelectorAll('[data-try]')) section.querySelector('.caller').after(formFor(section.dataset, demo));
}

/** A form that sends the call of a route, filled in with its example. */
function formFor({ try: call, as, body }, demo) {
	const [method, path] = call.split(' ');
	const details = element('details', { className: 'try' });
	const form = element('form', { autocomplete: 'off' });
	const address = element('input', { value: path.replace('{program}', demo.programId), spellcheck: false });
	const fields = [labelled(method, 'Address', address)];
	const text =
		body &&
		element('textarea', { value: JSON.stringify(JSON.parse(body.replace('{link}', demo.link)), null, 2), rows: 8, spellcheck: false });
	if (text) fields.push(labelled('Body', 'Body', text));
	const result = element('div', { role: 'status' });
	form.append(...fields, element('p', { textContent: CALLERS[as] }), element('button', { textContent: 'Send' }), result);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void send(method, address.value, text?.value, demo[as]).then((shown) => result.replaceChildren(...shown));
	});
	details.append(element('summary', { textContent: 'Try it' }), form);
	return details;
}

async function send(method, address, body, token) {
	const init = { method, credentials: 'omit' };
	if (body !== undefined) init.body = body;
	init.headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(body !== undefined && { 'Content-Type': 'application/json' }) };
	const from = performance.now();
	try {
		const response = await fetch(new URL(address, location.origin), init);
		const text = await response.text();
		const took = Math.round(performance.now() - from);
		const shown = response.headers.get('Content-Type')?.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
		const code = element('pre', { tabIndex: 0 });
		code.append(element('code', { textContent: shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)} …` : shown }));
		return [element('p', { textContent: `Response ${response.status}, after ${took} ms` }), code];
	} catch (error) {
		return [element('p', { textContent: `There was no response: ${error.message}` })];
	}
}

function labelled(text, name, field) {
	const label = element('label');
	field.ariaLabel = name;
	label.append(element('span', { textContent: text }), field);
	return label;
}

function element(name, properties = {}) {
	return Object.assign(document.createElement(name), properties);
}
