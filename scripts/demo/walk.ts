import * as z from 'zod';
import { type Answer, call, dataOf } from './api.ts';
import type { DemoWorld } from './world.ts';
import { Failure } from '../../testing/failure.ts';
import { faint, good, jsonLines, say, strong } from './terminal.ts';

export interface Funnel {
	readonly world: DemoWorld;
	readonly session: string;
}

/** A tracking call and the expected response. */
export interface Step {
	readonly title: string;
	readonly note?: string;
	readonly route: 'click' | 'lead' | 'sale' | 'refund';
	/** Only the backend sends the program key. */
	readonly by: 'browser' | 'backend';
	readonly body: object;
	readonly expect: { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
	/** The expected change of the partner's balance, in cents. */
	readonly moves?: number;
}

const Partner = z.object({
	name: z.string(),
	balances: z.record(z.string(), z.object({ available: z.int(), pending: z.int(), debt: z.int() })),
});

let steps = 0;

/** Makes the call and shows it with its response and the partner's balance. Fails if either is not as expected. */
export async function walk({ world, session }: Funnel, step: Step): Promise<Answer> {
	const path = `/api/v1/track/${step.route}`;
	steps += 1;
	say(`\n${strong(`${steps}. ${step.title}`)}`);
	if (step.note !== undefined) say(`   ${faint(step.note)}`);
	say(`   POST ${path}${step.by === 'backend' ? faint('  with the program key') : ''}`);
	for (const line of jsonLines(step.body, 5)) say(line);

	const before = await balanceOf(world, session);
	const answer = await call(world.url, path, { token: step.by === 'backend' ? world.apiToken : undefined, body: step.body });
	const after = await balanceOf(world, session);
	say(`   ${answer.status < 300 ? good(String(answer.status)) : strong(String(answer.status))}`);
	for (const line of jsonLines(answer.body, 5)) say(line);
	say(`   Partner's balance: ${dollars(before)} -> ${strong(dollars(after))} USD`);

	const wrong = [...unexpected(answer, step.expect), ...(after - before === (step.moves ?? 0) ? [] : [balanceComplaint(step)])];
	if (wrong.length > 0) throw new Failure(`Step ${steps} failed:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
	return answer;
}

/** The partner's USD balance in cents. */
export async function balanceOf({ url, programId, partnerId }: DemoWorld, token: string): Promise<number> {
	const partner = Partner.parse(await dataOf(url, `/api/v1/programs/${programId}/partners/${partnerId}`, { token }));
	const { available, pending, debt } = partner.balances['USD'] ?? { available: 0, pending: 0, debt: 0 };
	return available + pending - debt;
}

/** Lists the differences from the expected values. The expected value 'a number' matches any number. */
export function unexpected(answer: Answer, expected: Step['expect']): string[] {
	const status = answer.status === expected.status ? [] : [`expected status ${expected.status}, got ${answer.status}`];
	const fields = Object.entries(expected.body).flatMap(([name, value]) => {
		const found = answer.body[name];
		const isRight = value === 'a number' ? typeof found === 'number' : found === value;
		return isRight ? [] : [`expected ${name} to be ${JSON.stringify(value)}, got ${JSON.stringify(found)}`];
	});
	return [...status, ...fields];
}

function balanceComplaint({ moves = 0 }: Step): string {
	return `expected the balance to change by ${dollars(moves)} USD`;
}

export function dollars(cents: number): string {
	return (cents / 100).toFixed(2);
}
