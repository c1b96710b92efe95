import { Hono } from 'hono';
import { invalid } from '../domain/rejection.ts';
import { onceImported } from '../once.ts';
import type { AppEnv } from './app-env.ts';
import { clientNetwork, requireWithinLimit } from './limits.ts';
import { readBytes } from './read-body.ts';
import { params } from './validate.ts';

/** Decision 30. */
const WEBHOOK_LIMIT_BYTES = 1024 * 1024;

/** A module of its own: a visitor's request needs none of it. */
const forStripe = onceImported(() => import('../processor/receive-stripe-event.ts'));

/** /webhooks: what payment processors call (contract, section 6). A signature proves who does. */
export const webhooks = new Hono<AppEnv>().post('/stripe/:programId', params(['programId']), async (c) => {
	// Per sender, so that a flood of forgeries does not keep Stripe out; whatever the program, as each is looked up.
	await requireWithinLimit(c.env.SERVER_LIMIT, `webhook ${await clientNetwork(c)}`);
	const payload = await readBytes(c.req.raw, WEBHOOK_LIMIT_BYTES);
	const signature = c.req.header('Stripe-Signature');
	if (signature === undefined) throw invalid('The Stripe-Signature header is missing: this address takes webhooks that Stripe has signed');
	const { receiveStripeEvent } = await forStripe();
	await receiveStripeEvent(c.var.ctx, c.req.valid('param').programId, { payload, signature });
	return c.json({ received: true });
});
