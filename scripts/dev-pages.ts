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
	/** What is asked of neither, and answered here: then true. */
	readonly answers: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Pages {
	readonly close: () => Promise<void>;
}

/**
 * The address that people open: Vite answers for the pages, and the service behind it, which sees the host that was asked for, for
 * all else. The server is ours: Vite's own would end this process at a signal, before the service behind it has ended.
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
			// The service answers to any name that leads to this machine: so do its pages.
			allowedHosts: true,
			// Who may read what from elsewhere is the service's to say.
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
