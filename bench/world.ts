import { formatClickId } from '../src/domain/attribution/click-id.ts';
import { DAY_MS } from '../src/domain/calendar.ts';
import { openSecrets } from '../src/secrets.ts';
import { SECRETS, type Service } from './service.ts';

export interface World {
	readonly programId: number;
	readonly sessionToken: string;
	readonly programKey: string;
	readonly origin: string;
	readonly shortLink: string;
	readonly referralLinkId: number;
}

/** The program's age in days. */
const DAYS = 400;
const COLD_LINKS = 20_000;
/** Inserting more rows at once would exceed D1's time limit. */
const CLICKS_PER_STATEMENT = 1_000_000;
/** Every fifth seeded click is from today. */
const HEAVY_SHARE = 5;

/** Creates a 400-day-old program with a partner, a rule of 20 %, and figures on every day before today. */
export async function makeWorld(service: Service): Promise<World> {
	const origin = 'https://shop.example';
	const person = { email: 'ada@shop.example', password: 'correct horse battery', name: 'Ada Owner' };
	const owner = (await service.call('/api/v1/auth/sign-up', { body: person })) as Data<{ token: string }>;
	const token = owner.data.token;
	const program = (await service.call('/api/v1/programs', {
		token,
		body: { name: 'Shop', domain: 'shop.example', commission: { type: 'percent', percent: 20, hold_days: 14 } },
	})) as Data<{ id: number; api_token: string }>;
	const programId = program.data.id;
	await service.call(`/api/v1/programs/${programId}/partners`, {
		token,
		body: { name: 'Pat', email: 'pat@partners.example', short_link: 'pat' },
	});
	const [link] = (await service.sql(`SELECT id FROM referral_links WHERE short_link = 'pat'`)) as { id: number }[];
	await service.sql(`UPDATE programs SET created_at = created_at - ${DAYS * DAY_MS}`);
	await service.sql(`
		WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < ${DAYS})
		INSERT INTO daily_performance (program_id, day, currency, clicks, sales, revenue_cents)
		SELECT ${programId}, date('now', '-' || n || ' days'), 'USD', 40, 2, 1999 FROM d WHERE true ON CONFLICT DO NOTHING`);
	return { programId, sessionToken: token, programKey: program.data.api_token, origin, shortLink: 'pat', referralLinkId: link?.id ?? 0 };
}

interface Data<Fields> {
	readonly data: Fields;
}

/** Creates links that no isolate has cached yet. Returns their short links. */
export async function makeColdLinks(service: Service, { programId }: World): Promise<readonly string[]> {
	await service.sql(`
		WITH RECURSIVE cold(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM cold WHERE n < ${COLD_LINKS - 1})
		INSERT INTO referral_links (program_id, partner_program_id, short_link, created_at)
		SELECT ${programId}, (SELECT id FROM partner_programs WHERE program_id = ${programId}), 'cold-' || n, unixepoch() * 1000 FROM cold`);
	return Array.from({ length: COLD_LINKS }, (_, index) => `cold-${index}`);
}

/** Creates click ids the way the service does, without calling it. */
export function clickIdsOf({ referralLinkId }: World): () => Promise<string> {
	const secrets = openSecrets(SECRETS);
	let count = 0;
	return async () => {
		count += 1;
		// Each click has a different time, so that no two ids are the same.
		const click = { referralLinkId, clickedAt: Date.now() - count, nonce: count % 4096, isTest: false };
		return formatClickId(click, await secrets.clickMac(click));
	};
}

/** Seeds clicks over all days, one in five of them today, and their daily rows. */
export async function seedClicks(sql: (statement: string) => Promise<unknown>, programId: number, from: number, to: number): Promise<void> {
	for (let start = from; start < to; start += CLICKS_PER_STATEMENT) {
		const count = Math.min(CLICKS_PER_STATEMENT, to - start);
		const spread = count - Math.floor(count / HEAVY_SHARE);
		await sql(`
			WITH RECURSIVE seeded(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM seeded WHERE i < ${count} - 1),
				aged AS (SELECT i, CASE WHEN i < ${spread} THEN ${DAYS} - i * ${DAYS} / ${spread} ELSE 0 END AS age FROM seeded)
			INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, page_url, country)
			SELECT printf('cust_%08d_%010d', ${start / CLICKS_PER_STATEMENT}, i), ${start} + i, ${programId}, 1, 0, 0,
				(unixepoch('now', 'start of day') - age * 86400) * 1000 + i % 80000000, date('now', '-' || age || ' days'), 'https://shop.example/', iif(i % 2, 'DE', 'US')
			FROM aged`);
	}
	await sql(`
		INSERT INTO daily_performance (program_id, day, currency, clicks)
		SELECT program_id, click_day, 'USD', count(*) FROM affiliate_click_events WHERE true GROUP BY program_id, click_day
		ON CONFLICT (program_id, day, currency) DO UPDATE SET clicks = excluded.clicks`);
	await sql(`
		INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, clicks)
		SELECT program_id, 'country', click_day, coalesce(country, ''), 'USD', count(*) FROM affiliate_click_events WHERE true GROUP BY program_id, click_day, country
		ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET clicks = excluded.clicks`);
}
