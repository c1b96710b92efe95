import { beforeAll, describe, expect, it } from 'vitest';
import document from '../../public/api/openapi.json';
import type { Asked } from '../../testing/scale/asked.ts';
import { requestsOf } from '../../testing/scale/requests.ts';
import { ask } from './support/ask.ts';
import { NOT_YET } from './not-yet.ts';
import { aFilledProgram } from './support/filled.ts';
import { complaintsOf } from './support/judge.ts';

// The budget of every read on a program that is large (decision 61).

let requests: Readonly<Record<string, readonly Asked[]>>;

beforeAll(async () => {
	requests = requestsOf(await aFilledProgram());
});

const READS = Object.values(document.paths).flatMap((path) => ('get' in path ? [path.get.operationId] : []));

describe('a read', () => {
	it.each(READS)('%s holds its budget', async (operation) => {
		const asked = requests[operation];
		if (!asked) throw new Error(`Nothing is known of ${operation}: say in testing/scale/requests.ts what it is asked at scale`);
		const answers = [];
		for (const request of asked) {
			const answer = await ask(request);
			// What is not cured yet may refuse what is too large for it.
			if (!(operation in NOT_YET)) expect(answer.status, `${answer.name}: ${answer.text.slice(0, 300)}`).toBe(request.status);
			answers.push(answer);
		}
		expect(await complaintsOf(operation, answers)).toEqual([]);
	});

	it('that is asked is one of the document', () => {
		expect(Object.keys(requests).filter((operation) => !READS.includes(operation))).toEqual([]);
	});
});
