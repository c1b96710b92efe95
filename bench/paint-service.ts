import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Miniflare, Response } from 'miniflare';
import { migrate } from '../testing/migrations.ts';
import { startMiniflare } from '../testing/miniflare.ts';
import { builtFor, deployedOptions } from './service.ts';

// Serves the built Worker as Cloudflare does: with HTTP/2, TLS and gzip.

export interface PaintService {
	readonly url: string;
	readonly token: string;
	readonly programId: number;
	/** Starts recording responses. The returned function returns the recorded ones. */
	watch(): () => readonly Answered[];
	stop(): Promise<void>;
}

export interface Answered {
	readonly address: string;
	readonly type: string;
	/** The size after compression. */
	readonly bytes: number;
}

const EMPTY = '<!doctype html><html lang="en"><title>Empty</title><body>Empty</body></html>';

export async function openPaintService(folder: string): Promise<PaintService> {
	const miniflare = startMiniflare({ ...deployedOptions(), name: 'affiliate-tracker', ...builtFor('src/index.ts', folder) });
	await miniflare.ready;
	await migrate(await miniflare.getD1Database('DB'));
	let noted: Answered[] = [];
	const server = createSecureServer(certificate(folder), (request, response) => {
		// A page that was closed may leave requests behind, which fail when the service stops.
		answer(miniflare, request, response, (answered) => noted.push(answered)).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	const address = server.address();
	const url = `https://localhost:${typeof address === 'object' && address ? address.port : 0}`;
	const world = await fill(miniflare, url);
	return {
		url,
		...world,
		watch: () => {
			noted = [];
			return () => noted;
		},
		stop: async () => {
			server.close();
			await miniflare.dispose();
		},
	};
}

async function answer(
	miniflare: Miniflare,
	request: Http2ServerRequest,
	response: Http2ServerResponse,
	note: (answered: Answered) => void,
) {
	const { headers, method } = request;
	const address = request.url;
	const sent = Object.entries(headers).flatMap(([name, value]) =>
		name.startsWith(':') || name === 'accept-encoding' || value === undefined ? [] : [[name, String(value)] as [string, string]],
	);
	const answered =
		address === '/empty'
			? new Response(EMPTY, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
			: await miniflare.dispatchFetch(`https://${String(headers[':authority'])}${address}`, { method, headers: sent, redirect: 'manual' });
	const type = answered.headers.get('Content-Type') ?? '';
	const body = gzipSync(new Uint8Array(await answered.arrayBuffer()));
	note({ address, type, bytes: body.byteLength });
	const kept = [...answered.headers].filter(([name]) => !['content-length', 'connection', 'transfer-encoding'].includes(name));
	response.writeHead(answered.status, { ...Object.fromEntries(kept), 'content-encoding': 'gzip' });
	response.end(body);
}

/** Creates a program with a partner and some sales. */
async function fill(miniflare: Miniflare, url: string): Promise<Pick<PaintService, 'token' | 'programId'>> {
	const call = async (path: string, body: object, key?: string): Promise<Record<string, unknown>> => {
		const answered = await miniflare.dispatchFetch(`${url}${path}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) },
			body: JSON.stringify(body),
		});
		const text = await answered.text();
		if (!answered.ok) throw new Error(`${path} responded with ${answered.status}: ${text}`);
		const parsed: Record<string, unknown> = JSON.parse(text);
		return Object(parsed['data'] ?? parsed);
	};
	const { token } = await call('/api/v1/auth/sign-up', { email: 'ada@shop.example', password: 'a kettle beside four cups', name: 'Ada' });
	const owner = String(token);
	const program = await call('/api/v1/programs', { name: 'Shop', commission: { type: 'percent', percent: 20 } }, owner);
	const programId = Number(program['id']);
	const key = String(program['api_token']);
	await call(`/api/v1/programs/${programId}/partners`, { name: 'Pat', email: 'pat@partner.example', short_link: 'pat' }, owner);
	for (let sale = 1; sale <= 20; sale += 1) {
		const { click_id } = await call('/api/v1/track/click', { affiliate_url: 'https://shop.example/?aff=pat' });
		await call('/api/v1/track/lead', { click_id, customer_key: `c${sale}` }, key);
		await call('/api/v1/track/sale', { customer_key: `c${sale}`, transaction_id: `t${sale}`, amount_cents: 5000 }, key);
	}
	return { token: owner, programId };
}

/** A certificate for this run, because browsers use HTTP/2 only with TLS. */
function certificate(folder: string): { readonly key: Buffer; readonly cert: Buffer } {
	const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
	const how = [
		'req',
		'-x509',
		'-newkey',
		'ec',
		'-pkeyopt',
		'ec_paramgen_curve:prime256v1',
		'-nodes',
		'-days',
		'2',
		'-subj',
		'/CN=localhost',
	];
	execFileSync('openssl', [...how, '-keyout', key, '-out', cert], { stdio: 'ignore' });
	return { key: readFileSync(key), cert: readFileSync(cert) };
}
