import type { BrowserContext, Locator, Page } from 'playwright-core';
import { type Funnel, SERVICE, type World } from './world.ts';

// Signs up in World.open.

const OWNER = { email: 'ada@shop.example', password: 'correct horse battery' };

export async function signIn(visitor: BrowserContext, { programId }: Funnel, path: string): Promise<Page> {
	const page = await visitor.newPage();
	await page.goto(`${SERVICE}/dashboard/sign-in?next=/programs/${programId}/${path}`);
	await page.getByLabel('Email address', { exact: true }).fill(OWNER.email);
	await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(`${SERVICE}/dashboard/programs/${programId}/${path}`);
	return page;
}

export async function openTab(visitor: BrowserContext, { programId }: Funnel, path: string): Promise<Page> {
	const page = await visitor.newPage();
	await page.goto(`${SERVICE}/dashboard/programs/${programId}/${path}`);
	return page;
}

/** A sale through Pat's link. */
export async function sell(world: World, funnel: Funnel, sale: { transaction_id: string; amount_cents: number }): Promise<void> {
	const backend = world.backend(funnel);
	const { click_id } = await backend.click({ affiliate_url: `https://shop.example/?aff=${funnel.pat}` });
	await backend.sale({ ...sale, click_id });
}

/** Moves there with Tab, as a keyboard user does. */
export async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
	await wanted.first().waitFor();
	for (let press = 0; press < MOST_STOPS; press += 1) {
		if ((await wanted.first().and(page.locator(':focus')).count()) > 0) return;
		await page.keyboard.press(key);
	}
	throw new Error(`No ${key} leads to ${String(wanted)}`);
}

const MOST_STOPS = 80;
