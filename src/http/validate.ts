import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
// zod-validator only recognises this error type, although the schemas are from zod/mini.
import { safeParse } from 'zod';
import * as z from 'zod/mini';
import { invalid, type Rejection } from '../domain/rejection.ts';
import { once } from '../once.ts';
import { Parsed } from '../parsed.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { readJson } from './read-body.ts';

// Middleware that validates a route's input. Put it after the middleware that finds the caller, so that 401 and 403 precede 400.

type Valid<In extends object, Out extends object> = MiddlewareHandler<AppEnv, string, { in: In; out: Out }>;

/** For routes that look up the caller themselves: rejects unknown callers before the input is checked. */
type RequireCaller = (c: AppContext) => Promise<unknown>;

/** Ignores the Content-Type. Rejects with 400 and names the field, or with 413 above 64 KiB. */
export function body<Schema extends z.ZodMiniType>(
	schema: (sent: unknown) => Schema,
	read: (c: AppContext) => Promise<unknown> = readBody,
	requireCaller?: RequireCaller,
): Valid<{ json: z.input<Schema> }, { json: z.output<Schema> }> {
	return valid('json', schema, read, requireCaller);
}

/** For bodies whose fields are all optional. The body itself may be missing. */
export function optionalBody<Schema extends z.ZodMiniType>(
	schema: () => Schema,
): Valid<{ json?: z.input<Schema> }, { json: z.output<Schema> }> {
	return valid('json', schema, async (c) => {
		const isAbsent = c.req.raw.body === null || c.req.header('Content-Length') === '0';
		return isAbsent ? asRead(c, {}) : readBody(c);
	});
}

export async function readBody(c: AppContext): Promise<unknown> {
	return asRead(c, await readJson(c.req.raw));
}

/** Hono would read the body without a size limit, and only with a JSON content type. */
function asRead(c: AppContext, sent: unknown): unknown {
	Object.assign(c.req, { json: () => Promise.resolve(sent) });
	return sent;
}

/** Rejects with 400 and names the parameter. `read` selects the relevant parameters. */
export function query<Shape extends z.core.$ZodShape>(
	schema: () => z.ZodMiniObject<Shape>,
	read: (c: AppContext, shape: Shape) => Promise<unknown> = knownQuery,
	requireCaller?: RequireCaller,
): Valid<{ query?: z.input<z.ZodMiniObject<Shape>> }, { query: z.output<z.ZodMiniObject<Shape>> }> {
	return valid('query', schema, (c) => read(c, schema().shape), requireCaller);
}

/** Rejects unknown parameters with 400, because a misspelt filter would have no effect. */
async function knownQuery(c: AppContext, shape: object) {
	requireKnown(c, shape);
	return sentQuery(c);
}

/** Rejects any query, because it would have no effect. */
export const noQuery: MiddlewareHandler<AppEnv> = async (c, next) => {
	requireNoQuery(c);
	await next();
};

export function requireNoQuery(c: AppContext): void {
	requireKnown(c, {});
}

/** Runs before empty parameters are dropped, because `?unread` may be a typo too. */
function requireKnown(c: AppContext, shape: object): void {
	const unknown = Object.keys(c.req.query()).filter((name) => !Object.hasOwn(shape, name));
	if (unknown.length > 0) throw invalid(`Unknown query parameter: ${unknown.join(', ').slice(0, NAMES_LIMIT)}`);
}

/** Limits the unknown names that a response repeats. */
const NAMES_LIMIT = 200;

/** Empty parameters count as missing. The first of repeated parameters counts. */
export function sentQuery(c: AppContext): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''));
}

/** The ids in the path. Rejects with 400 if one is not valid. */
export function params<Name extends string>(
	names: readonly Name[],
	requireCaller?: RequireCaller,
): Valid<{ param: Record<Name, string> }, { param: Record<Name, number> }> {
	const schema = once(() => z.object(Object.fromEntries(names.map((name) => [name, Parsed(PATH_ID, parseId)]))));
	return valid('param', schema, async (c) => c.req.param(), requireCaller);
}

/** Rejects with 400 if the id is not valid. */
export function pathId(c: AppContext, name: string): number {
	const id = parseId(c.req.param(name) ?? '');
	if (id === undefined) throw invalid(`${name} ${PATH_ID}`);
	return id;
}

const PATH_ID = 'in the path must be a positive integer';

export function parseId(text: string): number | undefined {
	const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
	return Number.isSafeInteger(id) ? id : undefined;
}

/** Parses in one step, because zod-validator reports fields that a schema transforms last. */
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

/** Puts the field's path before messages in lower case. The contract's messages stay unchanged. */
export function firstProblem(error: z.core.$ZodError): Rejection {
	const issue = error.issues[0];
	return invalid(issue ? textOf(issue) : 'Request is invalid');
}

export function textOf(issue: z.core.$ZodIssue): string {
	if (issue.path.length === 0 && issue.code === 'invalid_type') return 'Request body must be a JSON object';
	const path = issue.path.map(String).join('.');
	return path !== '' && /^[a-z]/.test(issue.message) && !issue.message.startsWith(path) ? `${path} ${issue.message}` : issue.message;
}
