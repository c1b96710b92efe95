import { beforeEach, describe, expect, test } from 'vitest';
import { callWith } from '../support/bindings.ts';
import type { ClickJob } from '../../src/job.ts';
import { aClick, type Funnel } from '../support/funnel.ts';
import { aKeeper, OLD_DAY, oldClicks, retire } from '../support/retired.ts';
import { api } from '../support/world.ts';

let keeper: Funnel;
let job: ClickJob;
beforeEach(async () => {
	keeper = await aKeeper();
	const [old] = await oldClicks(keeper, 1, { pageUrl: 'https://shop.example/old', country: 'DE', subId: 'spring' });
	if (!old) throw new Error('There is no click');
	job = old;
});

interface EventList {
	readonly data: readonly object[];
	readonly meta: { readonly clicks_retired_until: string | null };
}

const ask = async (path: string, headers: Record<string, string> = {}) => api(path, { token: keeper.owner.token, headers });

describe('a list of events', () => {
	test('says until which day clicks are no longer listed', async () => {
		const before = await list();
		expect([before.data.length, before.meta.clicks_retired_until]).toEqual([1, null]);
		await retire();
		const after = await list();
		expect([after.data.length, after.meta.clicks_retired_until]).toEqual([0, OLD_DAY]);
	});

	test('says nothing of clicks if it has only other events', async () => {
		await retire();
		expect((await list('?type=lead,sale')).meta.clicks_retired_until).toBeNull();
	});

	test('says so as CSV in a header', async () => {
		await retire();
		await aClick(keeper);
		const { headers } = await ask(`/api/tracking/events/${keeper.id}`, { Accept: 'text/csv' });
		expect(headers.get('X-Clicks-Retired-Until')).toBe(OLD_DAY);
	});
});

describe('a retired click', () => {
	test('is read from its file', async () => {
		const path = `/api/tracking/events/${keeper.id}/click/${job.clickId}`;
		const before = await ask(path);
		expect(before.status).toBe(200);
		await retire();
		const after = await ask(path);
		expect([after.status, after.text]).toEqual([200, before.text]);
	});

	test('is not found if it was deleted', async () => {
		await retire({ clickFiles: undefined });
		expect((await ask(`/api/tracking/events/${keeper.id}/click/${job.clickId}`)).status).toBe(404);
	});

	test.each([
		['moved to files', {}],
		['deleted', { clickFiles: undefined }],
	])('is explained as %s', async (how, changed) => {
		await retire(changed);
		const { body } = await api<{ steps: { text: string }[] }>(`/api/v1/programs/${keeper.id}/explain?click_id=${job.clickId}`, {
			token: keeper.owner.token,
		});
		expect(body.data.steps[0]?.text).toContain(`The id is genuine. Clicks of that day were ${how} on `);
		expect(body.data.steps[0]?.text).not.toContain('not stored');
	});
});

async function list(query = ''): Promise<EventList> {
	const { body } = await callWith({}, `/api/tracking/events/${keeper.id}${query}`, { token: keeper.owner.token });
	const { data, meta }: EventList = JSON.parse(JSON.stringify(body));
	return { data, meta };
}
