import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import type { ProcessorAttribution } from '../domain/processor-event.ts';
import { type Payer, payerOf, readsForPayer } from '../payments/find-payer.ts';
import type { InboxEvent } from './inbox-event.ts';

/** Who an event is about, by itself or by what others told: see payerOf. At most one trip. */
export async function resolveAttribution(
	ctx: Context,
	{ programId, isTest }: Pick<InboxEvent, 'programId' | 'isTest'>,
	attribution: ProcessorAttribution,
): Promise<Payer> {
	if (!mayBeToldMore(attribution)) return { customerKey: attribution.customerKey, clickId: attribution.clickId };
	return payerOf(attribution, await read(ctx.db, readsForPayer(ctx, programId, isTest, attribution.processorIds, undefined)));
}

/** Whether other events may tell more of who it is. */
export function mayBeToldMore({ customerKey, clickId, processorIds }: ProcessorAttribution): boolean {
	return processorIds.length > 0 && (customerKey === undefined || clickId === undefined);
}

/** Whether the metadata names another program than the one whose address the event was sent to. */
export function isOfAnotherProgram({ programId }: ProcessorAttribution, event: Pick<InboxEvent, 'programId'>): boolean {
	return programId !== undefined && programId !== String(event.programId);
}
