import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { standStill } from '../testing/service/still.ts';
import { dump } from './upgrade-data/dump.ts';
import { HeldService } from './upgrade-data/held-service.ts';
import { playStory } from './upgrade-data/story.ts';

// `node scripts/upgrade-data.ts` fills a database through this checkout's API, and writes out its rows and the service's responses.
// test/db/upgrade.test.ts reads the files, which were written in a checkout of d00ceb9 with the current scripts/. Those whose names end in
// -0088, for test/db/upgrade-of-clicks.test.ts, were written in a checkout of 2d2460c and renamed.

const FOLDER = join(import.meta.dirname, '../test/support/upgrade');
const ASKED_AT = '2026-03-30T12:00:00Z';

interface Question {
	readonly path: string;
	readonly token: string;
	readonly accept: string;
}

const { rows, responses } = await standStill('2026-03-02T03:30:00Z', async (goOnAt) => {
	const service = new HeldService(goOnAt);
	const [ada, eve] = [await enter(service, 'sign-up', 'ada'), await enter(service, 'sign-up', 'eve')];
	const { shop, channel, kiosk, elsewhere } = await playStory(service, ada, eve);
	goOnAt(ASKED_AT);
	const tokens = { ada: await enter(service, 'sign-in', 'ada'), eve: await enter(service, 'sign-in', 'eve') };
	const made = dump(service.sqlite);
	const questions = [
		...[shop, channel].flatMap((program) => questionsTo(program.id, program.key, tokens.ada)),
		...[kiosk, elsewhere].flatMap((program) => questionsTo(program.id, program.key, tokens.eve)),
	];
	const answers = [];
	for (const question of questions) {
		goOnAt(ASKED_AT);
		const headers = { Accept: question.accept };
		answers.push({ ...question, text: await service.text(question.path, { token: question.token, headers }) });
	}
	return { rows: made, responses: { askedAt: ASKED_AT, key: shop.key, held: service.worker.held, answers } };
});

mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'rows.sql'), rows);
writeFileSync(join(FOLDER, 'told.json'), `${JSON.stringify(responses, null, '\t')}\n`);

/** Returns a new session token. */
async function enter(service: HeldService, by: 'sign-up' | 'sign-in', name: string): Promise<string> {
	const { token } = await service.call(`/api/v1/auth/${by}`, {
		body: { email: `${name}@people.example`, password: 'correct horse battery', ...(by === 'sign-up' && { name }) },
	});
	return String(token);
}

function questionsTo(programId: number, key: string, token: string): Question[] {
	const report = `/api/tracking/performance/${programId}`;
	const whole = 'dateFrom=2026-03-01&dateTo=2026-03-31';
	const breakdowns = ['partner', 'link', 'product', 'country', 'source'].flatMap((by) =>
		[whole, 'period=7d', 'dateFrom=2026-03-04&dateTo=2026-03-05'].map((range) => `${report}?by=${by}&${range}`),
	);
	const totals = ['period=7d', 'period=all', 'dateFrom=2026-03-11&dateTo=2026-03-20'].map((range) => `${report}?${range}`);
	const money = ['partners', 'payouts'].map((list) => `/api/v1/programs/${programId}/${list}`);
	return [
		...[...totals, ...breakdowns, ...money].map((path) => ({ path, token, accept: 'application/json' })),
		...[`${report}?${whole}`, `${report}?by=source&${whole}`].map((path) => ({ path, token, accept: 'text/csv' })),
		{ path: '/api/v1/cli/status', token: key, accept: 'application/json' },
	];
}
