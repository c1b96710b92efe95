import type { PlantedFault } from './planted-fault.ts';

const FILE = 'src/notifications/apply-effects.ts';
const WAITING = 'src/notifications/waiting-rows.ts';
const IS_DUE = 'const isDue = sql`${outbox.createdAt} +';
const TELLS = "kind IN ('commission_created', 'sale_refunded', 'commission_rejected', 'payout_made')";

/** Replaces the consumer's single batch. The last statement gets the rest of the original call. */
function asWritten(replace: string): PlantedFault['edits'] {
	const find =
		'const { called } = await write(\n		ctx.db,\n		[...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots],\n		{';
	return [{ file: FILE, find, replace }];
}

export const IN_MESSAGES: readonly PlantedFault[] = [
	{
		name: 'outbox: what is done stays',
		why: 'the row is not deleted, and takes effect with each delivery and tick',
		edits: asWritten(
			'const { called } = await write(ctx.db, [...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots], {',
		),
	},
	{
		name: 'outbox: deleted in another batch',
		why: 'the effect is committed, and the deletion is lost',
		edits: asWritten(
			'await write(ctx.db, [...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots]); const { called } = await write(ctx.db, [...takeAway(ctx, rows)], {',
		),
	},
	{
		name: 'outbox: deleted before the effect',
		why: 'the deletion is committed, and the effect is lost',
		edits: asWritten(
			'await write(ctx.db, [...takeAway(ctx, rows)]); const { called } = await write(ctx.db, [...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots], {',
		),
	},
	{
		name: 'outbox: deleted before anybody is told',
		why: 'the figures are moved, and nobody is told',
		edits: asWritten(
			'await write(ctx.db, [...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows)]); const { called } = await write(ctx.db, [...notify(ctx, rows), ...snapshots], {',
		),
	},
	{
		name: 'outbox: moved in a batch of its own',
		why: 'what is moved before the row is deleted is moved again where that is lost',
		edits: asWritten(
			'await write(ctx.db, [...applyDeltas(ctx, rows), ...raiseSums(ctx, rows)]); const { called } = await write(ctx.db, [...takeAway(ctx, rows), ...notify(ctx, rows), ...snapshots], {',
		),
	},
	{
		name: 'webhooks: frozen in a batch of their own',
		why: 'the effects are committed, and what a backend is told is lost',
		edits: asWritten(
			'await write(ctx.db, [...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows)]); const { called } = await write(ctx.db, [...snapshots], {',
		),
	},
	{
		name: 'webhooks: a sale is not told beside its commission',
		why: 'the row of a sale that made a commission is of the commission',
		edits: [{ file: 'src/webhooks/snapshot-deliveries.ts', find: '({ sales = 0 }) => sales > 0', replace: '({ sales = 0 }) => sales > 1' }],
	},
	{
		name: 'webhooks: what is given back is told as a refund',
		why: 'a refund that failed is a row of refunds too',
		edits: [
			{
				file: 'src/webhooks/snapshot-deliveries.ts',
				find: "r.outcome NOT IN ('reinstated', 'skipped')",
				replace: "r.outcome <> 'skipped'",
			},
		],
	},
	{
		name: 'postbacks: noted in a batch of their own',
		why: 'the effects are committed, and what a partner is called for is lost',
		edits: asWritten(
			'await write(ctx.db, [...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots]); const { called } = await write(ctx.db, [], {',
		),
	},
	{
		name: 'postbacks: a sign-up is told again with its click',
		why: 'a row of a lead is a lead',
		edits: [{ file: 'src/postbacks/snapshot-postbacks.ts', find: "SELECT 'lead' AS operation,", replace: 'SELECT t.operation,' }],
	},
	{
		name: 'postbacks: what is given back is told as taken back',
		why: 'a refund that failed is a row of refunds too',
		edits: [
			{
				file: 'src/postbacks/snapshot-postbacks.ts',
				find: "iif(r.outcome = 'reinstated', 'reinstated', 'reversed')",
				replace: "'reversed'",
			},
		],
	},
	{
		name: 'postbacks: nobody has what he has taken',
		why: 'what is due is read, and called, by as many as look at once',
		edits: [
			{
				file: 'src/webhooks/claim-due.ts',
				find: 'UPDATE ${deliveries} SET next_attempt_at = ${leaseOf(ctx)}',
				replace: 'UPDATE ${deliveries} SET next_attempt_at = next_attempt_at',
			},
			{
				file: 'src/postbacks/postback-channel.ts',
				find: "eq(postbackDeliveries.state, 'pending'), eq(postbackDeliveries.nextAttemptAt, leaseOf(ctx))",
				replace: "eq(postbackDeliveries.state, 'pending')",
			},
		],
	},
	{
		name: 'postbacks: what was taken waits on',
		why: 'that it was taken is noted by its receiver alone',
		edits: [
			{
				file: 'src/webhooks/settle-attempt.ts',
				find: "channel.noted(ctx, delivery, outcome, 'delivered'),",
				replace: 'channel.noted(ctx, delivery, outcome, ctx.now + 3_600_000),',
			},
		],
	},
	{
		name: 'postbacks: a partner is not told that its own is off',
		why: 'it stands on the page',
		edits: [{ file: 'src/webhooks/settle-attempt.ts', find: '		channel.notifyOfDisabling(ctx, receiverId),\n', replace: '' }],
	},
	{
		name: 'outbox: what is gone is moved again',
		why: 'two that read a row both move what it says',
		edits: [{ file: FILE, find: 'changes() <> ${count} OR EXISTS', replace: 'EXISTS' }],
	},
	{
		name: 'outbox: counts in a currency that is gone',
		why: 'the program changes its currency between the read and the write',
		edits: [{ file: FILE, find: 'WHERE p.currency <> known.value ->> 1', replace: 'WHERE 0' }],
	},
	{
		name: 'outbox: deleted though it was not among what was read',
		why: 'all that waits of the programs goes with the rows that were named',
		edits: [
			{
				file: FILE,
				find: 'DELETE FROM outbox WHERE (program_id, id) IN (SELECT value ->> 0, value ->> 1 FROM',
				replace: 'DELETE FROM outbox WHERE (program_id, program_id) IN (SELECT value ->> 0, value ->> 0 FROM',
			},
			{ file: FILE, find: 'changes() <> ${count} OR EXISTS', replace: 'EXISTS' },
		],
	},
	{
		name: 'cron: what was sent is taken for done',
		why: 'what tells somebody is left to the queue, which may lose it',
		edits: [{ file: WAITING, find: IS_DUE, replace: IS_DUE.replace('sql`', `sql\`NOT ${TELLS} AND `) }],
	},
	{
		name: 'cron: what tells nobody is left to the queue',
		why: 'nobody sends it there',
		edits: [{ file: WAITING, find: IS_DUE, replace: IS_DUE.replace('sql`', `sql\`${TELLS} AND `) }],
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
		edits: [{ file: 'src/clicks/store-clicks.ts', find: 'dated.filter(({ clickId }) => !stored.has(clickId))', replace: 'dated' }],
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
			'The outbox row waits until it is deleted with its effect, which cron gives it too: an acknowledgement is no more than advice. (A click has no such row: see the one above.)',
	},
	{
		name: 'nothing is sent after the commit',
		why: 'sendEffects is forgotten',
		edits: [
			{
				file: 'src/outbox/outbox.ts',
				find: 'if (rows.length > 0) ctx.defer(trySend(ctx, rows));',
				replace: 'void [ctx, rows, trySend];',
			},
		],
		harmless: 'Cron gives whatever waits its effect: effects come a minute late, none is lost.',
	},
];
