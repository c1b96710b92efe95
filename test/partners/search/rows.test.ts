import { env } from 'cloudflare:workers';
import { beforeAll, expect, inject, test } from 'vitest';
import { searchTextOf } from '../../../src/domain/search-text.ts';
import { metered } from '../../../testing/d1/metered.ts';
import { callWith } from '../../support/bindings.ts';
import { aShop, type Shop } from '../../support/ledger.ts';
import { signUp, unique } from '../../support/world.ts';

/** Always more than the rows that a search may read. */
const PARTNERS = inject('thorough') ? 20_000 : 8_000;
const FIRST = ['Maria', 'Jose', 'Anna', 'Peter', 'Wei', 'Olga', 'Tamara', 'Zoe', 'Mark', 'Lena', 'Ivan', 'Noor', 'Karl'];
const LAST = ['Lopez', 'Smith', 'Martin', 'Garcia', 'Novak', 'Silva', 'Rossi', 'Weber', 'Kim', 'Jones', 'Marx'];

let shop: Shop;
beforeAll(async () => {
	shop = await aShop(await signUp());
	const host = `${unique('mail')}.example`;
	const partners = Array.from({ length: PARTNERS }, (_, index) => {
		const [first, last] = [FIRST[index % FIRST.length] ?? '', LAST[index % LAST.length] ?? ''];
		const [name, email] = [`${first} ${last} ${index}`, `${first}.${last}${index}@${host}`.toLowerCase()];
		return [name, email, searchTextOf([name, email])];
	});
	for (let at = 0; at < PARTNERS; at += 4_000) {
		await env.DB.prepare(
			`INSERT INTO partners (workspace_id, name, email, search_text, created_at)
			SELECT ?, value ->> 0, value ->> 1, value ->> 2, 1 FROM json_each(?)`,
		)
			.bind(shop.owner.workspaceId, JSON.stringify(partners.slice(at, at + 4_000)))
			.run();
	}
	await env.DB.prepare(
		`INSERT INTO partner_programs (program_id, partner_id, status, created_at, created_day)
		SELECT ?, id, 'active', 1, '2026-01-01' FROM partners WHERE workspace_id = ?`,
	)
		.bind(shop.id, shop.owner.workspaceId)
		.run();
});

test.each(['.example', 'mar', 'maria lopez 1', 'm', 'com', 'a', 'zzzzzz', 'marx lopez', '7999', 'maria.garcia'])(
	'a search for %j reads few of many partners',
	async (search) => {
		for (const query of ['', '&limit=5', '&sort=name']) {
			const DB = metered(env.DB);
			const path = `/api/v1/programs/${shop.id}/partners?search=${encodeURIComponent(search)}${query}`;
			const { status, body } = await callWith({ DB }, path, { token: shop.owner.token });
			expect(status).toBe(200);
			const rows = Array.isArray(body['data']) ? body['data'] : [];
			expect(DB.spent().rowsRead, JSON.stringify(DB.statements(), undefined, 1)).toBeLessThanOrEqual(5_000 + 20 * rows.length);
		}
	},
);
