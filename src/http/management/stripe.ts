import { Hono } from 'hono';
import * as z from 'zod/mini';
import { invalid } from '../../domain/rejection.ts';
import { once } from '../../once.ts';
import { connectStripe } from '../../processor/connect-stripe.ts';
import { disconnectStripe } from '../../processor/disconnect-stripe.ts';
import { type Endpoint, findEndpoint } from '../../processor/endpoint.ts';
import { STRIPE_EVENT_TYPES } from '../../processor/stripe/read-event.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { body, noQuery } from '../validate.ts';
import { Strict } from '../fields.ts';
import { isoOf } from '../../domain/instant.ts';
import { requireProgram } from './session.ts';

const MAX_SECRETS = 5;

/** Stripe's are of 38 characters, those of its command line tool of 70. */
const SECRET = 'must be a signing secret of Stripe: "whsec_" and what follows it';
const Secret = once(() => z.string(SECRET).check(z.regex(/^whsec_[A-Za-z0-9+/=_-]{16,200}$/, SECRET)));

export const StripeRequest = once(() =>
	Strict({
		webhook_secret: z.optional(Secret()),
		webhook_secrets: z.optional(
			z
				.array(Secret(), 'must be a list of signing secrets')
				.check(z.minLength(1, 'must have at least one'), z.maxLength(MAX_SECRETS, `must have at most ${MAX_SECRETS}`)),
		),
		amount_basis: z.optional(z.enum(['net', 'gross'], 'must be "net" (without tax) or "gross"')),
	}),
);

/** /api/v1/programs/:id/stripe */
export const stripe = new Hono<AppEnv>()
	.get('/', requireProgram('member'), noQuery, async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: stripeOnWire(c, program.id, await findEndpoint(ctx, program.id)) });
	})
	.put('/', requireProgram('admin'), body(StripeRequest), async (c) => {
		const { ctx, program } = c.var;
		const { webhook_secret: secret, webhook_secrets: several, amount_basis: amountBasis } = c.req.valid('json');
		if ((secret === undefined) === (several === undefined)) throw invalid('Send either webhook_secret or webhook_secrets');
		const endpoint = await connectStripe(ctx, program, {
			secrets: [...(secret === undefined ? [] : [secret]), ...(several ?? [])],
			amountBasis,
		});
		return c.json({ success: true, data: stripeOnWire(c, program.id, endpoint) });
	})
	.delete('/', requireProgram('admin'), async (c) => {
		const { ctx, program } = c.var;
		await disconnectStripe(ctx, program);
		return c.json({ success: true, data: null });
	});

/** What to enter at Stripe is told before anything is connected: its signing secret exists only after that. */
function stripeOnWire(c: AppContext, programId: number, endpoint: Endpoint | undefined) {
	return {
		connected: endpoint !== undefined,
		webhook_url: new URL(`/webhooks/stripe/${programId}`, c.req.url).href,
		events: STRIPE_EVENT_TYPES,
		secret_hints: endpoint?.secretHints.map((hint) => (hint === null ? null : `whsec_...${hint}`)) ?? [],
		amount_basis: endpoint?.amountBasis ?? null,
		created_at: isoOf(endpoint?.createdAt ?? null),
		updated_at: isoOf(endpoint?.updatedAt ?? null),
	};
}
