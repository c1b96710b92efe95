// A service in this process makes no real requests. fetch returns only the pages that were set here.

const pages = new Map<string, string>();
const real = globalThis.fetch;
let users = 0;

/** All other URLs return 404. */
export function setPage(url: string, text: string): void {
	pages.set(url, text);
}

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
