import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
// Its error is the one that zod-validator knows by type; the schemas are of zod/mini.
import { safeParse } from 'zod';
import * as z from 'zod/mini';
import { invalid, type Rejection } from '../domain/rejection.ts';
import { once } from '../once.ts';
import { Parsed } from '../parsed.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { readJson } from './read-body.ts';

// What a route takes, as middlewares behind those that say who asks: so 401 and 403 come before 400. Its handler finds it
// with `c.req.valid()`, and hc<App> asks for it.

type Valid<In extends object, Out extends object> = MiddlewareHandler<AppEnv, string, { in: In; out: Out }>;

/** For a caller that is looked up with what it asks for: rejects with what it is told before a 400. */
type RequireCaller = (c: AppContext) => Promise<unknown>;

/** `valid('json')`: the body, whatever its Content-Type says. Rejects with 400 that names the field, 413 above 64 KiB. */
export function body<Schema extends z.ZodMiniType>(
	schema: (sent: unknown) => Schema,
	read: (c: AppContext) => Promise<unknown> = readBody,
	requireCaller?: RequireCaller,
): Valid<{ json: z.input<Schema> }, { json: z.output<Schema> }> {
	return valid('json', schema, read, requireCaller);
}

/** The same where every field may be left out: then so may the body. */
export function optionalBody<Schema extends z.ZodMiniType>(
	schema: () => Schema,
): Valid<{ json?: z.input<Schema> }, { json: z.output<Schema> }> {
	return valid('json', schema, async (c) => {
		const isAbsent = c.req.raw.body === null || c.req.header('Content-Length') === '0';
		return isAbsent ? asRead(c, {}) : readBody(c);
	});
}

/** The body as JSON. */
export async function readBody(c: AppContext): Promise<unknown> {
	return asRead(c, await readJson(c.req.raw));
}

/** Hono itself would read it without a limit, and only where it is called JSON. */
function asRead(c: AppContext, sent: unknown): unknown {
	Object.assign(c.req, { json: () => Promise.resolve(sent) });
	return sent;
}

/** `valid('query')`. Rejects with 400 that names the parameter; `read` says what of it counts. */
export function query<Shape extends z.core.$ZodShape>(
	schema: () => z.ZodMiniObject<Shape>,
	read: (c: AppContext, shape: Shape) => Promise<unknown> = knownQuery,
	requireCaller?: RequireCaller,
): Valid<{ query?: z.input<z.ZodMiniObject<Shape>> }, { query: z.output<z.ZodMiniObject<Shape>> }> {
	return valid('query', schema, (c) => read(c, schema().shape), requireCaller);
}

/** Rejects with 400 a parameter that is not known: a typo must not pass for a filter. */
async function knownQuery(c: AppContext, shape: object) {
	requireKnown(c, shape);
	return sentQuery(c);
}

/** Of a route that takes no query: none of it would count. */
export const noQuery: MiddlewareHandler<AppEnv> = async (c, next) => {
	requireNoQuery(c);
	await next();
};

export function requireNoQuery(c: AppContext): void {
	requireKnown(c, {});
}

/** Before the empty ones are left out: `?unread` is a typo too. */
function requireKnown(c: AppContext, shape: object): void {
	const unknown = Object.keys(c.req.query()).filter((name) => !Object.hasOwn(shape, name));
	if (unknown.length > 0) throw invalid(`Unknown query parameter: ${unknown.join(', ').slice(0, NAMES_LIMIT)}`);
}

/** Of the names in an answer. */
const NAMES_LIMIT = 200;

/** The query as it was sent. An empty parameter counts as left out, and of one that is sent twice the first counts. */
export function sentQuery(c: AppContext): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''));
}

/** `valid('param')`: ids of the path. Rejects with 400 what cannot be one. */
export function params<Name extends string>(
	names: readonly Name[],
	requireCaller?: RequireCaller,
): Valid<{ param: Record<Name, string> }, { param: Record<Name, number> }> {
	const schema = once(() => z.object(Object.fromEntries(names.map((name) => [name, Parsed(PATH_ID, parseId)]))));
	return valid('param', schema, async (c) => c.req.param(), requireCaller);
}

/** One of them, where the program is looked up by it. */
export function pathId(c: AppContext, name: string): number {
	const id = parseId(c.req.param(name) ?? '');
	if (id === undefined) throw invalid(`${name} ${PATH_ID}`);
	return id;
}

const PATH_ID = 'in the path must be a positive integer';

/** An id as text. */
export function parseId(text: string): number | undefined {
	const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
	return Number.isSafeInteger(id) ? id : undefined;
}

/**
 * What `read` gives, as the schema has it. It is parsed at once: by itself zod-validator would find out later about what a
 * schema changes (a currency in lower case), and name it after whatever else is wrong.
 */
function valid<In extends object, Out extends object>(
	target: 'json' | 'query' | 'param',
	schema: (sent: unknown) => z.ZodMiniType,
	read: (c: AppContext) => Promise<unknown>,
	requireCaller?: RequireCaller,
): Valid<In, Out> {
	return async (c, next) => {
		const refuse = async (refusal: unknown): Promise<never> => {
			await requireCaller?.(c);
			throw refusal;
		};
		const sent = await read(c).catch(refuse);
		const validator: MiddlewareHandler<AppEnv> = zValidator(
			target,
			schema(sent),
			(result) => (result.success ? undefined : refuse(firstProblem(result.error))),
			{ validationFunction: (its) => safeParse(its, sent) },
		);
		return validator(c, next);
	};
}

/** A message that starts in lower case goes behind the field's path; one of the contract's stands as it is. */
export function firstProblem(error: z.core.$ZodError): Rejection {
	const issue = error.issues[0];
	return invalid(issue ? textOf(issue) : 'Request is invalid');
}

/** What an issue reads like in an answer. */
export function textOf(issue: z.core.$ZodIssue): string {
	if (issue.path.length === 0 && issue.code === 'invalid_type') return 'Request body must be a JSON object';
	const path = issue.path.map(String).join('.');
	return path !== '' && /^[a-z]/.test(issue.message) && !issue.message.startsWith(path) ? `${path} ${issue.message}` : issue.message;
}
