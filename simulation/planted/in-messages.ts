import type { PlantedFault } from './planted-fault.ts';

const WAITS = 'json_each(${outboxIds}))`, isNull(outbox.doneAt));';
const DONE_ONCE = 'CREATE TRIGGER outbox_done_once BEFORE UPDATE ON outbox WHEN OLD.done_at IS NOT NULL BEGIN';

export const IN_MESSAGES: readonly PlantedFault[] = [
	{
		name: 'effect without done_at',
		why: 'the outbox row is not marked, and takes effect with each delivery',
		edits: [{ file: 'src/notifications/apply-effects.ts', find: ', markDone(ctx, { outboxIds })]', replace: ']' }],
	},
	{
		name: 'done_at in another batch',
		why: 'the effect is committed, and the mark is lost',
		edits: [
			{
				file: 'src/notifications/apply-effects.ts',
				find: ', markDone(ctx, { outboxIds })]);',
				replace: ']);\n	await runBatch(ctx.db, [markDone(ctx, { outboxIds })]);',
			},
		],
	},
	{
		name: 'done before the effect',
		why: 'what is marked first waits no more, and takes no effect',
		edits: [
			{
				file: 'src/notifications/apply-effects.ts',
				find: '[addToMetrics(ctx, { outboxIds }), notify(ctx, { outboxIds }), markDone(ctx, { outboxIds })]',
				replace: '[markDone(ctx, { outboxIds }), addToMetrics(ctx, { outboxIds }), notify(ctx, { outboxIds })]',
			},
		],
	},
	{
		name: 'done between the effects',
		why: 'the metrics are moved, and nobody is told',
		edits: [
			{
				file: 'src/notifications/apply-effects.ts',
				find: 'notify(ctx, { outboxIds }), markDone(ctx, { outboxIds })]',
				replace: 'markDone(ctx, { outboxIds }), notify(ctx, { outboxIds })]',
			},
		],
	},
	{
		name: 'outbox: done rows wait again',
		why: 'what is done is not passed over: the trigger aborts a message that comes twice, for ever',
		edits: [{ file: 'src/tracking/outbox.ts', find: WAITS, replace: 'json_each(${outboxIds}))`);' }],
	},
	{
		name: 'outbox: done twice',
		why: 'what is done is not passed over, and the trigger is missing',
		edits: [
			{ file: 'src/tracking/outbox.ts', find: WAITS, replace: 'json_each(${outboxIds}))`);' },
			{ file: 'migrations/0001_invariants.sql', find: DONE_ONCE, replace: DONE_ONCE.replace('OLD.done_at IS NOT NULL', '0') },
		],
	},
	{
		name: 'outbox: trigger on done_at missing',
		why: 'nothing but the statements keeps a row from being done twice',
		edits: [{ file: 'migrations/0001_invariants.sql', find: DONE_ONCE, replace: DONE_ONCE.replace('OLD.done_at IS NOT NULL', '0') }],
		harmless: 'The statements pass over what is done, in the transaction that marks it. The trigger stands behind them: see the two above.',
	},
	{
		name: 'sweep trusts what was sent',
		why: 'what was sent once is taken to be done',
		edits: [
			{
				file: 'src/tracking/outbox.ts',
				find: '.where(and(isNull(outbox.doneAt), lte(',
				replace: '.where(and(isNull(outbox.doneAt), eq(outbox.sends, 0), lte(',
			},
		],
	},
	{
		name: 'click acknowledged before it is stored',
		why: 'ack before effect',
		edits: [
			{
				file: 'src/jobs/consume.ts',
				find: 'await settleTogether(ctx, batch, clicks, ',
				replace: 'for (const { message } of clicks) message.ack();\n	await settleTogether(ctx, batch, clicks, ',
			},
		],
	},
	{
		name: 'click taken for new at every attempt',
		why: 'a second delivery of a click is an error for ever',
		edits: [{ file: 'src/tracking/store-clicks.ts', find: '!stored.has(clickId)', replace: 'true' }],
	},
	{
		name: 'effects acknowledged before they are written',
		why: 'ack before effect',
		edits: [
			{
				file: 'src/jobs/consume.ts',
				find: 'await settleTogether(ctx, batch, effects, ',
				replace: 'for (const { message } of effects) message.ack();\n	await settleTogether(ctx, batch, effects, ',
			},
		],
		harmless:
			'The outbox row stays open until its effect is committed with it, and the sweep sends it again: an acknowledgement is no more than advice. (A click has no such row: see the one above.)',
	},
	{
		name: 'nothing is sent after the commit',
		why: 'sendEffects is forgotten',
		edits: [{ file: 'src/tracking/outbox.ts', find: 'if (outboxIds.length > 0) ctx.defer(trySend(ctx, outboxIds));', replace: '' }],
		harmless: 'The sweep sends whatever is open after a minute: effects come late, none is lost.',
	},
];
