import * as z from 'zod/mini';
import { type Actor, requireActor } from '../../accounts/session.ts';
import { invalid, Rejection } from '../../domain/rejection.ts';
import { once } from '../../once.ts';
import { sha256Hex } from '../../secrets.ts';
import type { AppContext } from '../app-env.ts';
import { clientAddress, clientNetwork, requireWithinLimit } from '../limits.ts';
import { readJson } from '../read-body.ts';
import { parse } from '../schema.ts';

// What every management route begins with: who asks, then what for.

/** Who is signed in. Rejects with 401; where something is to be changed, with 400 any query: none of it would count. */
export async function requireSession(c: AppContext): Promise<Actor> {
	const actor = await requireActor(c.get('ctx'), await requireSessionHash(c), await clientAddress(c));
	if (c.req.method !== 'GET' && c.req.method !== 'HEAD') requireNoQuery(c);
	return actor;
}

/**
 * The SHA-256 of the session token, which is all that is stored of it. Rejects with 401 where none was sent, with 429 a client
 * that calls too often: before the token is looked up. A request counts once.
 */
export async function requireSessionHash(c: AppContext): Promise<string> {
	const known = c.get('sessionHash');
	if (known !== undefined) return known;
	const token = /^Bearer +(\S+)$/.exec(c.req.header('Authorization')?.trim() ?? '')?.[1];
	if (token === undefined) throw new Rejection('session_missing');
	await requireWithinLimit(c.env.SESSION_LIMIT, await clientNetwork(c));
	const hash = await sha256Hex(token);
	c.set('sessionHash', hash);
	return hash;
}

/** The parsed JSON body. Rejects with 400 that names the field, 413 above 64 KiB; with 400 a query, of which none would count. */
export async function json<Output>(c: AppContext, schema: () => z.ZodMiniType<Output>): Promise<Output> {
	requireNoQuery(c);
	return parse(schema, await readJson(c.req.raw));
}

/** The same where every field may be left out: then so may the body. */
export async function jsonOrNothing<Output>(c: AppContext, schema: () => z.ZodMiniType<Output>): Promise<Output> {
	const isAbsent = c.req.raw.body === null || c.req.header('Content-Length') === '0';
	return isAbsent ? parse(schema, {}) : json(c, schema);
}

/** The query as it was sent. An empty parameter counts as left out, and of one that is sent twice the first counts. */
export function sentQuery(c: AppContext): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''));
}

/** The parsed query. Rejects with 400 that names the parameter, also one that is not known: a typo must not pass for a filter. */
export function query<Shape extends z.core.$ZodShape>(
	c: AppContext,
	schema: () => z.ZodMiniObject<Shape>,
): z.output<z.ZodMiniObject<Shape>> {
	const { shape } = schema();
	// Before the empty ones are left out: `?unread` is a typo too.
	const unknown = Object.keys(c.req.query()).filter((name) => !Object.hasOwn(shape, name));
	if (unknown.length > 0) throw invalid(`Unknown query parameter: ${unknown.join(', ').slice(0, NAMES_LIMIT)}`);
	return parse(schema, sentQuery(c));
}

/** Of the names in an answer. */
const NAMES_LIMIT = 200;

const NoQuery = once(() => z.object({}));

/** Of a route that takes no query. */
export function requireNoQuery(c: AppContext): void {
	query(c, NoQuery);
}

/** An id of the path. Rejects with 400 what cannot be one. */
export function pathId(c: AppContext, name: string): number {
	const id = parseId(c.req.param(name) ?? '');
	if (id === undefined) throw invalid(`${name} in the path must be a positive integer`);
	return id;
}

const LIMIT = 'must be an integer from 1 to 200';

/** `cursor` (of the page before) and `limit` (1 to 200, default 50) of a list. Extend it with the list's filters. */
export const PageQuery = once(() =>
	z.object({
		cursor: z.optional(
			z.pipe(z.string(), z.transform(parseId)).check(z.refine((id) => id !== undefined, 'must be a next_cursor of this list')),
		),
		limit: z._default(
			z
				.pipe(z.string().check(z.regex(/^\d{1,4}$/, LIMIT)), z.transform(Number))
				.check(z.refine((limit) => limit >= 1 && limit <= 200, LIMIT)),
			50,
		),
	}),
);

/** A cursor as `meta.next_cursor`. */
export function metaOf(page: { readonly nextCursor: number | null }): { next_cursor: string | null } {
	return { next_cursor: page.nextCursor === null ? null : String(page.nextCursor) };
}

function parseId(text: string): number | undefined {
	const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
	return Number.isSafeInteger(id) ? id : undefined;
}
