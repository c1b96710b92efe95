import type { PlantedFault } from './planted-fault.ts';

export const IN_MESSAGES: readonly PlantedFault[] = [
	{
		name: 'effect without done_at',
		why: 'the outbox row is not marked, and takes effect with each delivery',
		edits: [
			{
				file: 'src/notifications/apply-effects.ts',
				find: '[markDone(ctx, row.id), ...effectsOf(ctx, row)]',
				replace: 'effectsOf(ctx, row)',
			},
		],
	},
	{
		name: 'done_at in another batch',
		why: 'the effect is committed, and the mark is lost',
		edits: [
			{
				file: 'src/notifications/apply-effects.ts',
				find: `rows.flatMap((row) => [markDone(ctx, row.id), ...effectsOf(ctx, row)]),
		);`,
				replace: `rows.flatMap((row) => effectsOf(ctx, row)),
		);
		await runBatch(ctx.db, rows.map((row) => markDone(ctx, row.id)));`,
			},
		],
	},
	{
		name: 'done before the effect',
		why: 'the mark is committed, and the effect is lost',
		edits: [
			{
				file: 'src/notifications/apply-effects.ts',
				find: `await runBatch(
			ctx.db,
			rows.flatMap((row) => [markDone(ctx, row.id), ...effectsOf(ctx, row)]),
		);`,
				replace: `await runBatch(ctx.db, rows.map((row) => markDone(ctx, row.id)));
		await runBatch(ctx.db, rows.flatMap((row) => effectsOf(ctx, row)));`,
			},
		],
	},
	{
		name: 'outbox: done twice',
		why: 'two deliveries at once both take effect: the trigger is missing',
		edits: [
			{
				file: 'migrations/0001_invariants.sql',
				find: 'CREATE TRIGGER outbox_done_once BEFORE UPDATE ON outbox WHEN OLD.done_at IS NOT NULL BEGIN',
				replace: 'CREATE TRIGGER outbox_done_once BEFORE UPDATE ON outbox WHEN 0 BEGIN',
			},
		],
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
