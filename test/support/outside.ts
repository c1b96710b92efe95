// The Worker's outside world: pages with any behavior that a real server may show.

export interface Page {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly delayMs?: number;
}

const pages = new Map<string, Page>();
const asked: string[] = [];
const received = new Map<string, string[]>();

/** The network of the tested Worker, in its process. Tests add pages with `putPage`. */
export async function outside(request: { readonly url: string; readonly method: string; text(): Promise<string> }): Promise<Response> {
	if (request.method === 'PUT') {
		const page: Page = JSON.parse(await request.text());
		pages.set(request.url, page);
		return new Response(null, { status: 204 });
	}
	if (request.method === 'REPORT') return Response.json(asked);
	if (request.method === 'SEARCH') return Response.json(received.get(request.url) ?? []);
	asked.push(request.url);
	if (request.method === 'POST') received.set(request.url, [...(received.get(request.url) ?? []), await request.text()]);
	const {
		status = 200,
		headers = {},
		body = '',
		delayMs = 0,
	} = pages.get(request.url) ?? pages.get(request.url.split('?')[0] ?? '') ?? { status: 404 };
	await new Promise((resolve) => setTimeout(resolve, delayMs));
	return new Response(body, { status, headers });
}
