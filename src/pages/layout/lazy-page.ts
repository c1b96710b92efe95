import { lazyRouteComponent } from '@tanstack/react-router';

export const lazyPage: typeof lazyRouteComponent = (importer, name) => lazyRouteComponent(() => patiently(importer), name);

/** Waits for the network if a file cannot load offline, because the router would reload the page and fail. */
async function patiently<Module>(importer: () => Promise<Module>): Promise<Module> {
	try {
		return await importer();
	} catch (error) {
		if (navigator.onLine) throw error;
		await new Promise((online) => window.addEventListener('online', online, { once: true }));
		return patiently(importer);
	}
}
