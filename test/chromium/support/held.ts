import type { Page } from 'playwright-core';

/** The page's requests to this address are sent only after `letThrough`. */
export async function holdRequests(page: Page, address: Parameters<Page['route']>[0]) {
	const { promise: held, resolve: letThrough } = Promise.withResolvers<void>();
	await page.route(address, async (route) => {
		await held;
		await route.continue();
	});
	return { letThrough };
}
