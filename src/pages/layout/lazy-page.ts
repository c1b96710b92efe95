import { lazyRouteComponent } from '@tanstack/react-router';

export const lazyPage: typeof lazyRouteComponent = (importer, name) => lazyRouteComponent(() => patiently(importer), name);

/** Waits for the network if the file cannot load offline; otherwise the router would reload the page, which would fail. */
async function patiently<Module>(importer: () => Promise<Module>): Promise<Module> {
	try {
		return await importer();
	} catch (error) {
		if (navigator.onLine) throw error;
		await new Promise((online) => window.addEventListener('online', online, { once: true }));
		return patiently(importer);
	}
}
