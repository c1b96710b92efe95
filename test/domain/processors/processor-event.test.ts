import { expect, test } from 'vitest';
import { namesIn, type ProcessorFact } from '../../../src/domain/processors/processor-event.ts';

const attribution = { customerKey: 'jane', clickId: 'click', programId: '7', processorIds: ['sub_1', 'in_1'] };

test.each<[fact: ProcessorFact, names: string[]]>([
	[{ kind: 'signup', attribution }, ['jane', 'click', 'sub_1', 'in_1']],
	[{ kind: 'signup', attribution: { ...attribution, customerKey: undefined, clickId: undefined } }, ['sub_1', 'in_1']],
	[{ kind: 'payment_ids', paymentIds: ['pi_1', 'ch_1'], invoiceId: 'in_1' }, ['pi_1', 'ch_1']],
	[{ kind: 'subscription_end', subscriptionId: 'sub_1', endedAt: 1 }, ['sub_1']],
])('the ids of a fact: %o', (fact, names) => {
	expect(namesIn(fact)).toEqual(names);
});
