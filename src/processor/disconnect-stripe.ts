import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { processorEndpoints } from '../db/schema/processor.ts';
import { Rejection } from '../domain/rejection.ts';
import { findEndpoint, ofProgram } from './endpoint.ts';

/**
 * Takes no more webhooks from a program's Stripe and forgets its secrets. Events that still wait are refused when they are looked
 * at next; what was recorded stays. Rejects with 404 where nothing is connected.
 */
export async function disconnectStripe(ctx: Context, program: ManagedProgram): Promise<void> {
	if (!(await findEndpoint(ctx, program.id))) throw new Rejection('not_found', { message: 'Stripe is not connected' });
	await write(ctx.db, [
		ctx.db.delete(processorEndpoints).where(ofProgram(program.id)),
		auditProgram(ctx, program, { action: 'stripe.disconnect' }),
	]);
}
