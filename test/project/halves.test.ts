import { expect, test } from 'vitest';
import { isForPeople } from '../../src/http/app.ts';
import { peopleApp } from '../../src/http/people-app.ts';
import { trackingApp } from '../../src/http/tracking-app.ts';

// A route that the other half is asked for would never be found.

const pathsOf = ({ routes }: Pick<typeof peopleApp, 'routes'>) => [
	...new Set(routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path)),
];

test.each(pathsOf(peopleApp))('%s is looked for among the routes for people', (path) => {
	expect(isForPeople(path)).toBe(true);
});

test.each(pathsOf(trackingApp))('%s is looked for among those that the start brings', (path) => {
	expect(isForPeople(path)).toBe(false);
});

test.each(['/', '/nowhere', '/api', '/api/v1', '/api/v1/track/', '/api/v1/track/nothing', '/api/tracking/nothing', '/api/v10/programs'])(
	'%s needs nothing more',
	(path) => {
		expect(isForPeople(path)).toBe(false);
	},
);
