import { PROCESSOR_NAMES } from '../src/processor/processors.ts';
import { type Document, Conformance } from '../testing/openapi/conformance.ts';
import { signedBy } from '../testing/openapi/signers.ts';
import { BASE } from '../testing/openapi/world.ts';
import { Random, subSeed } from '../testing/random.ts';
import { judge } from './judge.ts';
import { readOptions } from './options.ts';
import { Requests, type Shot, type Target } from './requests.ts';
import { Seen } from './seen.ts';
import { openTargetWorld, type TargetWorld } from './target-world.ts';
import { Values } from './values.ts';

// npm run fuzz -- [--requests 10000] [--route 'POST /api/v1/track/sale'] [--seed 1] [--unmet]
// Sends this many requests to every documented route and checks each response against the document.
// The default seed comes from the commit. Exits with 1 if a response does not match.

/** Resets the world after this many requests, because otherwise most of it would soon be paid, refunded or deleted. */
const REQUESTS_PER_WORLD = 100;
/** The number of requests to other routes after each reset. */
const WARM_UP_REQUESTS = 10;
const COMPLAINTS_SHOWN = 20;

const options = readOptions();
const logged: string[] = [];
Object.assign(console, { error: (line: unknown) => void logged.push(String(line)), warn() {}, info() {} });

const world = await openTargetWorld();
const document: Document = JSON.parse(await (await world.fetch(new Request(`${BASE}/api/openapi.json`))).text());
const conformance = new Conformance(document);
const all = Object.entries(document.paths).flatMap(([template, methods]) =>
	Object.entries(methods).map(([method, operation]): Target => ({ method, template, operation })),
);
const targets = all.filter(({ method, template }) => `${method.toUpperCase()} ${template}`.includes(options.route));

const seen = new Seen(conformance);
const complaints: string[] = [];
let sent = 0;
const started = performance.now();
for (const [index, target] of targets.entries()) await fuzz(target, subSeed(options.seed, index));
const seconds = (performance.now() - started) / 1000;

const unmet = targets.flatMap(({ operation }) =>
	seen.unmet(
		operation.operationId,
		Object.keys(operation.responses).flatMap((status) =>
			conformance.refusalsOf(operation, Number(status)).map((text) => [Number(status), text] as const),
		),
	),
);
if (options.unmet) for (const line of unmet) console.log(`never occurred: ${line}`);
for (const complaint of complaints.slice(0, COMPLAINTS_SHOWN)) console.log(complaint);
console.log(
	`${targets.length} routes, ${sent} requests, ${complaints.length} answers that do not match the document, ${unmet.length} documented refusals that never occurred, ` +
		`${seconds.toFixed(0)} s (${(sent / seconds).toFixed(0)} requests/s)`,
);
console.log(
	`Again: npm run fuzz -- --seed ${options.seed} --requests ${options.requests}${options.route === '' ? '' : ` --route '${options.route}'`}`,
);
process.exitCode = complaints.length === 0 && sent > 0 ? 0 : 1;

async function fuzz(target: Target, seed: number): Promise<void> {
	const random = new Random(seed);
	const values = new Values(random, world.known, document.components.schemas);
	const requests = new Requests(random, values, world.credentials, document.components.schemas);
	const statuses = new Map<number, number>();
	const from = performance.now();
	for (let count = 0; count < options.requests; count += 1) {
		const which = `--seed ${options.seed}, request ${count} of ${target.method.toUpperCase()} ${target.template}`;
		if (count % REQUESTS_PER_WORLD === 0) {
			world.reset();
			for (let warmed = 0; warmed < WARM_UP_REQUESTS; warmed += 1) {
				const other = random.pick(all);
				await fire(world, other, requests.shoot(other), `before ${which}`);
			}
		}
		world.limit.isReached = random.chance(0.005);
		const status = await fire(world, target, requests.shoot(target), which);
		world.limit.isReached = false;
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
	}
	sent += options.requests;
	const answered = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
	const rate = options.requests / ((performance.now() - from) / 1000);
	console.log(
		`${target.method.toUpperCase().padEnd(7)} ${target.template.padEnd(62)} ${rate.toFixed(0).padStart(6)}/s  ${answered.join(', ')}`,
	);
}

/** Sends the request and records what is wrong with the response. */
async function fire({ fetch }: TargetWorld, target: Target, shot: Shot, which: string): Promise<number> {
	logged.length = 0;
	const method = target.method.toUpperCase();
	// The service reads a webhook only if its signature is valid.
	const signer = shot.kind === 'raw' ? undefined : PROCESSOR_NAMES.find((name) => target.template.startsWith(`/webhooks/${name}/`));
	const signature = signer !== undefined && typeof shot.body === 'string' ? signedBy(signer, shot.body) : {};
	const request = new Request(`${BASE}${shot.path}`, {
		method,
		headers: { ...shot.headers, ...signature },
		...(shot.body === undefined ? {} : { body: shot.body }),
	});
	const response = await fetch(request);
	const text = await response.text();
	const answer = { method, path: new URL(request.url).pathname, status: response.status, headers: response.headers, text };
	const wrong = judge(conformance, shot, answer);
	if (wrong.length === 0) seen.note(answer);
	if (wrong.length > 0) {
		const body = typeof shot.body === 'string' ? shot.body : Buffer.from(shot.body ?? []).toString('latin1');
		complaints.push(
			`${method} ${shot.path.slice(0, 200)} (${which}, ${shot.kind})\n  ${JSON.stringify(shot.headers).slice(0, 300)}\n  ${body.slice(0, 600)}\n` +
				`  answered ${answer.status} ${text.slice(0, 300)}\n  ${wrong.join('\n  ')}${logged.map((line) => `\n  log: ${line.slice(0, 500)}`).join('')}`,
		);
	}
	return answer.status;
}
