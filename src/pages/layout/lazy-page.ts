import { lazyRouteComponent } from '@tanstack/react-router';

/** A page whose file is loaded when it is first opened. */
export const lazyPage: typeof lazyRouteComponent = (importer, name) => lazyRouteComponent(() => patiently(importer), name);

/** Without a network the file is waited for: the router would load the whole page anew, and find nothing. */
async function patiently<Module>(importer: () => Promise<Module>): Promise<Module> {
	try {
		return await importer();
	} catch (error) {
		if (navigator.onLine) throw error;
		await new Promise((online) => window.addEventListener('online', online, { once: true }));
		return patiently(importer);
	}
}
