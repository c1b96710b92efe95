import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Funnel, SERVICE } from './world.ts';

/** Placeholders such as `$programId` are replaced by real ids. */
export const DASHBOARD = [
	'/sign-in',
	'/sign-up',
	'/programs/new',
	'/workspaces/$workspaceId',
	'/notifications',
	'/account',
	'/account/sessions',
	'/account/mail',
	'/account/history',
	...[
		'',
		'/setup',
		'/events',
		'/customers',
		'/customers/erasures',
		'/customers/$customerId',
		'/explain',
		'/explain/refusals',
		'/partners',
		'/partners/$partnerId',
		'/groups',
		'/applications',
		'/links',
		'/coupons',
		'/rules',
		'/commissions',
		'/payouts',
		'/payouts/to-send',
		'/payouts/history',
		'/settings',
		'/settings/keys',
		'/settings/payments',
		'/settings/payments/$processor',
		'/settings/payments/paddle',
		'/settings/payments/custom',
		'/settings/payment-events',
		'/settings/stripe',
		'/settings/stripe-events',
		'/settings/webhooks',
		'/settings/webhooks/$webhookId',
		'/settings/team',
		'/settings/audit-log',
		'/settings/undelivered',
		'/settings/service',
		'/settings/data',
	].map((path) => `/programs/$programId${path}`),
];

export const PORTAL = [
	'/sign-in',
	'/invitation',
	'/reset-password',
	'/notifications',
	'/account',
	'/account/payout-details',
	'/account/mail',
	'/account/sessions',
	'/account/history',
	...['', '/links', '/commissions', '/commissions/none', '/payouts', '/performance', '/postback'].map(
		(path) => `/programs/$membershipId${path}`,
	),
];

export type Entry = 'dashboard' | 'portal';

export function addressOf({ programId, partnerProgramId }: Funnel, entry: Entry, path: string): string {
	const ids: Readonly<Record<string, number | string>> = {
		programId,
		workspaceId: 1,
		partnerId: 1,
		customerId: 1,
		membershipId: partnerProgramId,
		processor: 'stripe',
		webhookId: 1,
	};
	return `${SERVICE}/${entry}${path.replaceAll(/\$(\w+)/g, (_, name: string) => String(ids[name]))}`;
}

export async function isSettled(page: Page): Promise<void> {
	await page.waitForLoadState('networkidle');
	await page.locator('h1').first().waitFor();
	await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
}
