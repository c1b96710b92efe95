import { expect, test } from 'vitest';
import { isForPeople } from '../../src/http/app.ts';
import { peopleApp } from '../../src/http/people-app.ts';
import { trackingApp } from '../../src/http/tracking-app.ts';

// A request to the wrong half would not find its route.

const pathsOf = ({ routes }: Pick<typeof peopleApp, 'routes'>) => [
	...new Set(routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path)),
];

test.each(pathsOf(peopleApp))('%s is served by the routes for people', (path) => {
	expect(isForPeople(path)).toBe(true);
});

test.each(pathsOf(trackingApp))('%s is served by the routes loaded at start', (path) => {
	expect(isForPeople(path)).toBe(false);
});

test.each(['/', '/nowhere', '/api', '/api/v1', '/api/v1/track/', '/api/v1/track/nothing', '/api/tracking/nothing', '/api/v10/programs'])(
	'%s loads nothing more',
	(path) => {
		expect(isForPeople(path)).toBe(false);
	},
);
