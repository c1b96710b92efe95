import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { PAGES } from '../src/pages/vite.config.ts';
import { ROOT } from '../testing/root.ts';

/** The address that people open: Vite answers for the pages, and the service behind it, which sees the host that was asked for, for all else. */
export async function openPages({ ip, port, servicePort }: { ip: string; port: number; servicePort: number }): Promise<ViteDevServer> {
	const pages = await createServer({
		configFile: join(ROOT, 'src/pages/vite.config.ts'),
		clearScreen: false,
		logLevel: 'warn',
		server: {
			host: ip,
			port,
			strictPort: true,
			// The service answers to any name that leads to this machine: so do its pages.
			allowedHosts: true,
			// Who may read what from elsewhere is the service's to say.
			cors: false,
			proxy: { [`^/(?!pages/|(${PAGES.join('|')})(/|\\?|$))`]: { target: `http://127.0.0.1:${servicePort}` } },
		},
	});
	return pages.listen();
}
