// What the pages share that letters lead to. The token stands behind the #, which no server and no other site gets to see.

export const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

export function say(text) {
	document.querySelector('#said').textContent = text;
}

/** The answer's data; throws in the service's own words. */
export async function ask(path, request = { method: 'GET' }) {
	const answer = await fetch(`/api/v1${path}`, request);
	const { data, error } = await answer.json();
	if (!answer.ok) throw new Error(error);
	return data;
}

/** A request that changes something, as whoever the browser is signed in as. */
export function post(body) {
	return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** Does the work with the form's fields when it is sent; what goes wrong is said, and the form is there for another try. */
export function onSubmit(form, work) {
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		const button = form.querySelector('button');
		button.disabled = true;
		try {
			await work(Object.fromEntries(new FormData(form)));
		} catch (error) {
			say(error instanceof TypeError ? 'The service could not be reached. Try again.' : error.message);
			button.disabled = false;
		}
	});
}

/** The link is used up: nobody who looks at this browser later needs it. */
export function forgetToken() {
	history.replaceState(null, '', location.pathname);
}
