import { Hono } from 'hono';
import * as z from 'zod/mini';
import { invalid } from '../../../domain/rejection.ts';
import { once } from '../../../once.ts';
import { connectProcessor } from '../../../processor/connect-processor.ts';
import { disconnectProcessor } from '../../../processor/disconnect-processor.ts';
import { type Endpoint, findEndpoint } from '../../../processor/endpoint.ts';
import { processor } from '../../../processor/stripe/processor.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { body, noQuery } from '../../validate.ts';
import { Strict } from '../../fields.ts';
import { AmountBasisField, hintOnWire, MAX_SECRETS, placeOnWire } from './processors.ts';
import { requireProgram } from '../session.ts';

const { pattern: PATTERN, error: ERROR } = processor.secretForm;
const Secret = once(() => z.string(ERROR).check(z.regex(PATTERN, ERROR)));

export const StripeRequest = once(() =>
	Strict({
		webhook_secret: z.optional(Secret()),
		webhook_secrets: z.optional(
			z
				.array(Secret(), 'must be a list of signing secrets')
				.check(z.minLength(1, 'must have at least one'), z.maxLength(MAX_SECRETS, `must have at most ${MAX_SECRETS}`)),
		),
		amount_basis: AmountBasisField(),
	}),
);

/** /api/v1/programs/:id/stripe, the same as `/processors/stripe`, for clients that know no other processor. */
export const stripe = new Hono<AppEnv>()
	.get('/', requireProgram('member'), noQuery, async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: stripeOnWire(c, await findEndpoint(ctx, program.id, processor.name)) });
	})
	.put('/', requireProgram('admin'), body(StripeRequest), async (c) => {
		const { ctx, program } = c.var;
		const { webhook_secret: secret, webhook_secrets: several, amount_basis: amountBasis } = c.req.valid('json');
		if ((secret === undefined) === (several === undefined)) throw invalid('Send either webhook_secret or webhook_secrets');
		const texts = [...(secret === undefined ? [] : [secret]), ...(several ?? [])];
		const secrets = texts.map((text) => ({ secret: text, isTest: undefined }));
		const endpoint = await connectProcessor(ctx, program, processor, { secrets, amountBasis });
		return c.json({ success: true, data: stripeOnWire(c, endpoint) });
	})
	.delete('/', requireProgram('admin'), async (c) => {
		const { ctx, program } = c.var;
		await disconnectProcessor(ctx, program, processor);
		return c.json({ success: true, data: null });
	});

function stripeOnWire(c: AppContext, endpoint: Endpoint | undefined) {
	const { connected, webhook_url, events, ...rest } = placeOnWire(c, processor, endpoint);
	const secret_hints = endpoint?.secrets.map(({ hint }) => hintOnWire(processor.secretForm.prefix, hint)) ?? [];
	return { connected, webhook_url, events, secret_hints, ...rest };
}
