import type { PlantedFault } from './planted-fault.ts';

export const IN_STRIPE: readonly PlantedFault[] = [
	{
		name: 'inbox: settled before the work',
		why: 'an event is marked as done, then the process dies',
		edits: [
			{
				file: 'src/processor/process-event.ts',
				find: `	const plan = await planEvent(ctx, event);
	const { outcome } = plan;
`,
				replace: `	await settleEvent(ctx, event, planNothing({ state: 'applied', reason: 'Done', saleId: undefined, reportedIds: [] } as const));
	event.revision += 1;
	const plan = await planEvent(ctx, event);
	const { outcome } = plan;
	const reopen = "UPDATE processor_events SET state = 'received', next_attempt_at = 1, settled_at = NULL, revision = revision + 1 WHERE id = ?";
	await ctx.db.$client.prepare(reopen).bind(event.id).run();
	event.revision += 1;
`,
			},
		],
	},
	{
		name: 'inbox: a lost message is not sent again',
		why: 'a received event depends on its queue message',
		edits: [
			{
				file: 'src/processor/sweep-events.ts',
				find: '.where(lte(processorEvents.nextAttemptAt, ctx.now))',
				replace: '.where(sql`0`)',
			},
		],
	},
	{
		name: 'inbox: no event is resumed',
		why: 'parked events resume only by time',
		edits: [{ file: 'src/inbox/resume-events.ts', find: 'inArray(processorEvents.id, waiters)', replace: 'sql`0 = ${waiters}`' }],
	},
	{
		name: 'inbox: misses a report that arrives while an event is being parked',
		why: 'only later reports resume the event, not one between its check and its parking',
		edits: [
			{
				file: 'src/processor/process-event.ts',
				find: 'if (!isRegistered) await evaluateAgain(ctx, event, outcome.waitsFor);',
				replace: 'void evaluateAgain;',
			},
		],
	},
	{
		name: 'inbox: an event whose consumer dies before the second check waits long',
		why: 'the consumer that parks an event is assumed to survive the second check',
		edits: [{ file: 'src/processor/settle-event.ts', find: "waits.length > 0 ? 'soon' : outcome.watch", replace: 'outcome.watch' }],
	},
	{
		name: 'inbox: a consumer with old data overwrites a newer result',
		why: 'the later of two consumers writes its result, whatever the other has written',
		edits: [
			{
				file: 'migrations/0026_inbox_in_fewer_rows.sql',
				find: 'processor_events_revised BEFORE UPDATE ON processor_events WHEN NEW.revision <> OLD.revision + 1',
				replace: 'processor_events_revised BEFORE UPDATE ON processor_events WHEN 0',
			},
		],
	},
	{
		name: 'inbox: waits forever',
		why: 'the end of the wait is ignored',
		edits: [{ file: 'src/processor/process-event.ts', find: 'return ctx.now >= expiresAt;', replace: 'return false;' }],
	},
	{
		name: 'inbox: a redelivery is another event',
		why: "the index on the event's id is not unique",
		edits: [
			{
				file: 'migrations/0026_inbox_in_fewer_rows.sql',
				find: 'CREATE UNIQUE INDEX `processor_events_once`',
				replace: 'CREATE INDEX `processor_events_once`',
			},
		],
	},
	{
		name: 'inbox: signature not verified',
		why: 'any delivery is accepted',
		edits: [
			{
				file: 'src/processor/stripe/verify-signature.ts',
				find: 'await webhooks.signature?.verifyHeaderAsync(payload, header, secret, TOLERANCE_SECONDS, new SubtleCryptoProvider(), now)',
				replace: 'await Promise.resolve(true)',
			},
		],
	},
	{
		name: 'inbox: an old signature counts',
		why: 'a recorded delivery can be replayed later',
		edits: [
			{
				file: 'src/processor/reading/signature.ts',
				find: 'const TOLERANCE_SECONDS = 300;',
				replace: 'const TOLERANCE_SECONDS = 3000;',
			},
		],
	},
	{
		name: 'inbox: program_id not compared',
		why: 'if an account serves several programs, each of their partners earns',
		edits: [
			{
				file: 'src/processor/process-event.ts',
				find: 'other !== undefined && other !== String(programId)',
				replace: 'false as boolean && other !== String(programId)',
			},
		],
	},
	{
		name: 'inbox: test mode is real',
		why: "the event's mode is lost before its sale is recorded",
		edits: [
			{
				file: 'src/processor/plan-fact.ts',
				find: 'await planPayment(ctx, event, ',
				replace: 'await planPayment(ctx, { ...event, isTest: false }, ',
			},
		],
	},
	{
		name: 'inbox: references of a customer are not stored',
		why: "a checkout session's metadata is used only for that session",
		edits: [
			{
				file: 'src/processor/process-event.ts',
				find: "const binding = facts.find((fact) => fact.kind === 'binding');",
				replace: "const binding = facts.find((fact) => fact.kind === 'binding' && summary === '');",
			},
		],
	},
	{
		name: 'inbox: ids are not linked',
		why: 'events that only link ids are ignored',
		edits: [
			{
				file: 'src/processor/plan-fact.ts',
				find: 'const plan = await planLink(ctx, event, fact);',
				replace: 'const plan = fact.paymentIds.length > 99 ? await planLink(ctx, event, fact) : undefined;',
			},
		],
	},
	{
		name: 'inbox: a new operation with each try',
		why: 'a retry does not recognise the earlier write',
		edits: [
			{
				file: 'src/processor/process-event.ts',
				find: '`processor_event:${event.id}:${index}`',
				replace: '`processor_event:${event.id}:${index}:${crypto.randomUUID()}`',
			},
		],
		harmless: 'A payment is found by its ids and a reversal by its own, so the retry finds both. Only the reason in the inbox differs.',
	},
	{
		name: 'stripe: total counts as a refund',
		why: 'the cumulative amount of a charge is added to the refunds by id',
		edits: [
			{
				file: 'src/processor/stripe/refunds.ts',
				find: `			kind: 'total',
			id: \`\${charge.id}:\${event.happenedAt / 1000}:\${refunded.cents}\`,`,
				replace: `			kind: 'refund',
			id: \`\${charge.id}:\${event.happenedAt / 1000}:\${refunded.cents}\`,`,
			},
		],
	},
	{
		name: 'stripe: failed refund ignored',
		why: 'the status of a refund is ignored',
		edits: [
			{
				file: 'src/processor/stripe/refunds.ts',
				find: "const isUndone = refund.status === 'failed' || refund.status === 'canceled';",
				replace: 'const isUndone = false as boolean;',
			},
		],
	},
	{
		name: 'stripe: canceled refund counts',
		why: "only one of a refund's two failures is known",
		edits: [
			{
				file: 'src/processor/stripe/refunds.ts',
				find: "refund.status === 'failed' || refund.status === 'canceled'",
				replace: "refund.status === 'failed'",
			},
		],
	},
	{
		name: 'stripe: won dispute not reinstated',
		why: 'a dispute is handled like a refund',
		edits: [
			{
				file: 'src/processor/stripe/disputes.ts',
				find: "const isUndone = status === 'won' || (event.type === 'charge.dispute.funds_reinstated' && status !== 'lost');",
				replace: 'const isUndone = false as boolean;',
			},
		],
	},
	{
		name: 'stripe: inquiry reverses',
		why: "a bank's inquiry is handled like a dispute",
		edits: [
			{
				file: 'src/processor/stripe/disputes.ts',
				find: "if (status.startsWith('warning_')) return",
				replace: 'if (false as boolean) return',
			},
		],
	},
	{
		name: 'stripe: both events of an invoice count',
		why: 'a sale per event instead of one per invoice',
		edits: [
			{
				file: 'src/processor/stripe/invoice.ts',
				find: '			transactionId: invoiceId,',
				replace: "			transactionId: event.type === 'invoice.paid' ? invoiceId : `${invoiceId}-2`,",
			},
			{
				file: 'src/processor/stripe/invoice.ts',
				find: '		paymentIds: paymentIdsOf(invoice, invoiceId),',
				replace: "		paymentIds: event.type === 'invoice.paid' ? paymentIdsOf(invoice, invoiceId) : [`${invoiceId}-2`],",
			},
		],
	},
	{
		name: 'stripe: unpaid checkout counts',
		why: 'a completed checkout counts as paid',
		edits: [
			{
				file: 'src/processor/stripe/checkout.ts',
				find: "if (session.payment_status === 'unpaid') return",
				replace: 'if (false as boolean) return',
			},
			{
				file: 'src/processor/stripe/checkout.ts',
				find: "if (session.payment_status !== 'paid' || (session.amount_total ?? 0) === 0)",
				replace: 'if ((session.amount_total ?? 0) === 0)',
			},
		],
	},
	{
		name: 'stripe: tax counts',
		why: "the charged amount counts, whatever the program's setting",
		edits: [
			{
				file: 'src/processor/stripe/amounts.ts',
				find: "const sale = basis === 'gross' ? charged : moneyOf(goodsOf(bill), currency);",
				replace: 'const sale = charged; void goodsOf;',
			},
		],
	},
	{
		name: 'stripe: renewal is a first sale',
		why: "the invoice's billing reason is ignored",
		edits: [
			{
				file: 'src/processor/stripe/invoice.ts',
				find: "return subscriptionIdOf(invoice) !== undefined && RECURRING_REASONS.has(invoice.billing_reason ?? '');",
				replace: 'return invoice.id === undefined && RECURRING_REASONS.size === 0;',
			},
		],
	},
	{
		name: 'stripe: client_reference_id not read',
		why: 'Payment Links have nothing else',
		edits: [
			{
				file: 'src/processor/stripe/client-reference.ts',
				find: 'return reference !== undefined && parseClickId(reference) ? { ...NO_CLAIMS, clickId: reference } : { ...NO_CLAIMS, reference };',
				replace: 'void parseClickId; return { ...NO_CLAIMS, reference };',
			},
		],
	},
	{
		name: 'stripe: single payments have a product',
		why: 'what a payment earns depends on whether its checkout or its invoice arrives first (found by a test of all orders)',
		edits: [
			{
				file: 'src/processor/stripe/invoice.ts',
				find: 'productId: subscriptionId === undefined || !hasAllLines ?',
				replace: 'productId: !hasAllLines ?',
			},
		],
	},
];
