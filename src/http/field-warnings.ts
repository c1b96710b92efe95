import { createMiddleware } from 'hono/factory';
import { misspeltFields, warningOf } from '../domain/misspelt-field.ts';
import { noteMisspeltFields } from '../programs/note-misspelt-fields.ts';
import type { AppEnv } from './app-env.ts';
import { asksForTestMode } from './tracking-requests.ts';

/**
 * Adds `warnings` to a successful response if fields of the body look misspelt (decision 39). All other responses stay byte for byte the
 * same. The status counts such calls if they have the program key.
 */
export function warnOfMisspelt(operation: 'click' | 'lead' | 'sale' | 'refund', schema: () => { readonly shape: object }) {
	return createMiddleware<AppEnv>(async (c, next) => {
		await next();
		if (c.res.status !== 200) return;
		const sent: unknown = await c.req.json().catch(() => undefined);
		const misspelt = misspeltFields(sent, Object.keys(schema().shape));
		if (misspelt.length === 0) return;
		const { ctx, keyHash } = c.var;
		if (keyHash !== undefined && !asksForTestMode(sent)) noteMisspeltFields(ctx, keyHash, operation, misspelt);
		const answer: object = await c.res.json();
		c.res = new Response(JSON.stringify({ ...answer, warnings: misspelt.map(warningOf) }), c.res);
	});
}
