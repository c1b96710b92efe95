import type { Context } from '../context.ts';
import { webhookIdOf } from '../domain/webhook-type.ts';
import type { OutgoingRequest } from './attempt.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { openSecrets, signedHeaders } from './signing-secrets.ts';

/** A webhook: the frozen payload, signed anew for each attempt. */
export async function webhookRequest(ctx: Context, delivery: ClaimedDelivery): Promise<OutgoingRequest> {
	const { url, payload: body, programId, sealedSecrets } = delivery;
	const signed = await signedHeaders({ id: webhookIdOf(delivery), body, now: ctx.now }, await openSecrets(ctx, programId, sealedSecrets));
	return {
		url,
		method: 'POST',
		headers: { 'Content-Type': 'application/json', 'User-Agent': 'affiliate-tracker-webhooks/1', ...signed },
		body,
	};
}
