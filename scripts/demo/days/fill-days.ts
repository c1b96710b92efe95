import type { DatabaseSync } from 'node:sqlite';
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { Agenda } from './agenda.ts';
import * as cast from './cast.ts';
import { withClock } from './clock.ts';
import { ServiceClient } from './service-client.ts';
import { planJapan } from './japan.ts';
import { planJourneys } from './journeys.ts';
import { planMoney } from './money.ts';
import { planOdds } from './odds.ts';
import { partnerAddress, planApplications, planMemberships, planPartners, SHOWN_PARTNER } from './partners.ts';
import { openWorkspace, OWNER, planPeople } from './people.ts';
import { Shop } from './shop.ts';
import { at, NEW_YORK, type Stage } from './stage.ts';
import { planStripe } from './stripe-inbox.ts';
import { planTerms } from './terms.ts';
import { planTraffic } from './traffic.ts';

/** The interval between cron runs. */
const TICK_MS = 8 * HOUR_MS;
const VISITORS_PER_DAY = 148;

export interface Filling {
	readonly sqlite: DatabaseSync;
	/** The Worker's SECRETS. */
	readonly secrets: string;
	readonly password: string;
	/** The real time. Today is the last of the ninety days. */
	readonly now: number;
	readonly seed: number;
	/** The fraction of visitors to create: 1 means all. */
	readonly scale: number;
	readonly signal?: AbortSignal;
}

/** The sign-ins and programs that were created. */
export interface FilledDays {
	readonly email: string;
	readonly partnerEmail: string;
	readonly programId: number;
	readonly secondProgramId: number;
}

/**
 * Fills the database with the last ninety days of a shop. Its people, visitors, backend and payment processor call the service with the
 * clock set to the time of each call. The same seed and day produce the same figures.
 */
export async function fillDays({ sqlite, secrets, signal, ...given }: Filling): Promise<FilledDays> {
	return withClock(async (goTo) => {
		const client = new ServiceClient(sqlite, secrets);
		const stage: Stage = { ...given, client, agenda: new Agenda() };
		goTo(at(stage, 0, 9));
		const { session, workspaceId } = await openWorkspace(client, stage.password);
		const shop = await openShop(stage, session);
		planPeople(stage, workspaceId, [shop, await planJapan(stage, session)]);
		planDollars(stage, shop);
		await play(stage, goTo, signal);
		return { email: OWNER.email, partnerEmail: partnerAddress(SHOWN_PARTNER), programId: shop.id, secondProgramId: shop.id + 1 };
	});
}

async function openShop({ client }: Stage, session: string): Promise<Shop> {
	const settings = {
		name: 'Northwind Coffee',
		currency: 'USD',
		time_zone: NEW_YORK,
		cookie_window_days: 30,
		keep_emails: true,
		payout_minimum_cents: 25_00,
		allowed_origins: ['https://northwind.example', 'https://*.northwind.example', 'http://localhost:*'],
		commission: { type: 'percent', percent: 10, hold_days: 14 },
	};
	return Shop.open(client, session, { prefix: '', domain: 'northwind.example', settings });
}

function planDollars(stage: Stage, shop: Shop): void {
	planTerms(stage, shop);
	planStripe(stage, shop);
	planPartners(stage, shop, cast.PARTNERS);
	planMemberships(stage, shop);
	planApplications(stage, shop);
	planJourneys(stage, shop);
	planMoney(stage, shop);
	planOdds(stage, shop);
	const { PARTNERS: partners, PLACES: places, PRODUCTS: products } = cast;
	planTraffic(stage, { shop, partners, places, products, visitorsPerDay: VISITORS_PER_DAY, hasClub: true });
}

/** Runs the agenda up to now, and the crons in between. */
async function play(stage: Stage, goTo: (instant: number) => void, signal?: AbortSignal): Promise<void> {
	const { agenda, client, now } = stage;
	const tickFrom = (instant: number) =>
		agenda.add(instant, async () => {
			await client.tick();
			tickFrom(instant + TICK_MS);
		});
	tickFrom(Math.ceil(Date.now() / TICK_MS) * TICK_MS);
	for (const { at: instant, work, isClick } of agenda.due(now - MINUTE_MS)) {
		signal?.throwIfAborted();
		goTo(instant);
		// Delivers earlier messages first, so that their effects are stored.
		if (!isClick) await client.settle();
		await work();
		if (!isClick) await client.settle();
	}
	goTo(now);
	await client.tick();
}
