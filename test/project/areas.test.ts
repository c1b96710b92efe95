import { describe, expect, test } from 'vitest';
import { areaOf } from '../../src/http/app.ts';
import { ROUTES } from '../support/routes.ts';

// If a path led to the wrong area, the call would find no route.

describe.each(Object.entries(ROUTES))('%s', (area, routes) => {
	const paths = new Set(routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path));

	test.each([...paths])('%s', (path) => {
		expect(areaOf(path)).toBe(area);
	});
});

test.each(['/', '/nowhere', '/api', '/api/v1', '/api/v1/track/', '/api/v1/track/nothing', '/api/tracking/nothing', '/api/v10/programs'])(
	'%s loads no further area',
	(path) => {
		expect(areaOf(path)).toBe('tracking');
	},
);

test('an unknown path under /api/v1 is answered by the area of programs', () => {
	expect(areaOf('/api/v1/nowhere')).toBe('programs');
	expect(areaOf('/api/v1/menu')).toBe('programs');
});
