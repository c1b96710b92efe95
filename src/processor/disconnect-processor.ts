import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { processorEndpoints } from '../db/schema/processor.ts';
import { Rejection } from '../domain/rejection.ts';
import { findEndpoint, ofProcessor } from './endpoint.ts';
import type { Processor } from './processor.ts';

/**
 * Also deletes its secrets. Waiting events are refused at their next attempt; recorded facts stay. Rejects with 404 if it is not connected.
 */
export async function disconnectProcessor(ctx: Context, program: ManagedProgram, processor: Processor): Promise<void> {
	const { name, title, audited } = processor;
	if (!(await findEndpoint(ctx, program.id, name))) throw new Rejection('not_found', { message: `${title} is not connected` });
	await write(ctx.db, [
		ctx.db.delete(processorEndpoints).where(ofProcessor(program.id, name)),
		auditProgram(ctx, program, { action: audited?.disconnect ?? 'processor.disconnect', ...(!audited && { detail: { processor: name } }) }),
	]);
}
