// No request of a service in this process leaves it: the outside is what it was told to be.

const pages = new Map<string, string>();
const real = globalThis.fetch;
let users = 0;

/** What is answered at an address from now on; everywhere else there is nothing. */
export function setPage(url: string, text: string): void {
	pages.set(url, text);
}

/** Does the work with the outside in place of the network. */
export async function withOutside<Result>(work: () => Promise<Result>): Promise<Result> {
	users += 1;
	globalThis.fetch = answer;
	try {
		return await work();
	} finally {
		users -= 1;
		if (users === 0) globalThis.fetch = real;
	}
}

async function answer(input: RequestInfo | URL): Promise<Response> {
	const text = pages.get(input instanceof Request ? input.url : String(input));
	return text === undefined ? new Response('Nothing here', { status: 404 }) : new Response(text);
}
