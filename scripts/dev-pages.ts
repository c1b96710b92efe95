import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createServer } from 'vite';
import { PAGES } from '../src/pages/vite.config.ts';
import { ROOT } from '../testing/root.ts';

interface Opening {
	readonly ip: string;
	readonly port: number;
	readonly servicePort: number;
	/** Handles requests that neither Vite nor the service should get; returns whether it did. */
	readonly answers: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Pages {
	readonly close: () => Promise<void>;
}

/**
 * Serves the pages with Vite and proxies everything else to the service, with the original Host header. It uses its own server,
 * because Vite's would exit the process on a signal, before the service has stopped.
 */
export async function openPages({ ip, port, servicePort, answers }: Opening): Promise<Pages> {
	const server = createHttpServer();
	const vite = await createServer({
		configFile: join(ROOT, 'src/pages/vite.config.ts'),
		clearScreen: false,
		logLevel: 'warn',
		server: {
			middlewareMode: true,
			hmr: { server },
			// The service accepts any host name, so Vite must too.
			allowedHosts: true,
			// The service sets its own CORS headers.
			cors: false,
			proxy: { [`^/(?!pages/|(${PAGES.join('|')})(/|\\?|$))`]: { target: `http://127.0.0.1:${servicePort}` } },
		},
	});
	server.on('request', (request, response) => answers(request, response) || vite.middlewares(request, response));
	server.listen(port, ip);
	await once(server, 'listening');
	return {
		close: async () => {
			server.closeAllConnections();
			server.close();
			await vite.close();
		},
	};
}
