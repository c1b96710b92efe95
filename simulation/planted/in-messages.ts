import type { PlantedFault } from './planted-fault.ts';

const FILE = 'src/notifications/apply-effects.ts';
const WAITING = 'src/notifications/waiting-rows.ts';
const IS_DUE = 'const isDue = sql`${outbox.createdAt} +';
const HAS_NOTICE = "kind IN ('commission_created', 'sale_refunded', 'commission_rejected', 'payout_made')";

/** Replaces the consumer's single batch. The last statement receives the rest of the original call. */
function asWritten(replace: string): PlantedFault['edits'] {
	const find =
		'const { called } = await write(\n		ctx.db,\n		[...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots],\n		{';
	return [{ file: FILE, find, replace }];
}

export const IN_MESSAGES: readonly PlantedFault[] = [
	{
		name: 'outbox: applied rows stay',
		why: 'the row is not deleted, so it takes effect with each delivery and tick',
		edits: asWritten(
			'const { called } = await write(ctx.db, [...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots], {',
		),
	},
	{
		name: 'outbox: deleted in another batch',
		why: 'the effect is committed, but the deletion is lost',
		edits: asWritten(
			'await write(ctx.db, [...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots]); const { called } = await write(ctx.db, [...takeAway(ctx, rows)], {',
		),
	},
	{
		name: 'outbox: deleted before the effect',
		why: 'the deletion is committed, but the effect is lost',
		edits: asWritten(
			'await write(ctx.db, [...takeAway(ctx, rows)]); const { called } = await write(ctx.db, [...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots], {',
		),
	},
	{
		name: 'outbox: deleted before the notification',
		why: 'the deltas are applied, but nobody is notified',
		edits: asWritten(
			'await write(ctx.db, [...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows)]); const { called } = await write(ctx.db, [...notify(ctx, rows), ...snapshots], {',
		),
	},
	{
		name: 'outbox: deltas in a batch of their own',
		why: 'if the deletion is lost, the deltas are applied again',
		edits: asWritten(
			'await write(ctx.db, [...applyDeltas(ctx, rows), ...raiseSums(ctx, rows)]); const { called } = await write(ctx.db, [...takeAway(ctx, rows), ...notify(ctx, rows), ...snapshots], {',
		),
	},
	{
		name: 'webhooks: snapshots in a batch of their own',
		why: 'the effects are committed, but the webhook is lost',
		edits: asWritten(
			'await write(ctx.db, [...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows)]); const { called } = await write(ctx.db, [...snapshots], {',
		),
	},
	{
		name: "webhooks: no sale event beside its commission's",
		why: 'the outbox row of a sale with a commission counts only as the commission',
		edits: [{ file: 'src/webhooks/snapshot-deliveries.ts', find: '({ sales = 0 }) => sales > 0', replace: '({ sales = 0 }) => sales > 1' }],
	},
	{
		name: 'webhooks: a reinstatement is sent as a refund',
		why: 'a failed refund is a row of refunds too',
		edits: [
			{
				file: 'src/webhooks/snapshot-deliveries.ts',
				find: "r.outcome NOT IN ('reinstated', 'skipped')",
				replace: "r.outcome <> 'skipped'",
			},
		],
	},
	{
		name: 'postbacks: snapshots in a batch of their own',
		why: 'the effects are committed, but the postback is lost',
		edits: asWritten(
			'await write(ctx.db, [...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots]); const { called } = await write(ctx.db, [], {',
		),
	},
	{
		name: 'postbacks: a sign-up is sent again with its click',
		why: 'every outbox row of a lead counts as a lead',
		edits: [{ file: 'src/postbacks/snapshot-postbacks.ts', find: "SELECT 'lead' AS operation,", replace: 'SELECT t.operation,' }],
	},
	{
		name: 'postbacks: a reinstatement is sent as a reversal',
		why: 'a failed refund is a row of refunds too',
		edits: [
			{
				file: 'src/postbacks/snapshot-postbacks.ts',
				find: "iif(r.outcome = 'reinstated', 'reinstated', 'reversed')",
				replace: "'reversed'",
			},
		],
	},
	{
		name: 'postbacks: a claim does not exclude others',
		why: 'concurrent consumers all call a due delivery',
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
		name: 'postbacks: a delivered call stays pending',
		why: 'the delivery does not record the success',
		edits: [
			{
				file: 'src/webhooks/settle-attempt.ts',
				find: "channel.noted(ctx, delivery, outcome, 'delivered'),",
				replace: 'channel.noted(ctx, delivery, outcome, ctx.now + 3_600_000),',
			},
		],
	},
	{
		name: 'postbacks: a partner is not notified of its disabling',
		why: 'the page shows it',
		edits: [{ file: 'src/webhooks/settle-attempt.ts', find: '		channel.notifyOfDisabling(ctx, receiverId),\n', replace: '' }],
	},
	{
		name: 'outbox: deleted rows are applied again',
		why: 'two consumers that read a row both apply its deltas',
		edits: [{ file: FILE, find: 'changes() <> ${count} OR EXISTS', replace: 'EXISTS' }],
	},
	{
		name: 'outbox: counts in a currency that no longer exists',
		why: 'the program changes its currency between the read and the write',
		edits: [{ file: FILE, find: 'WHERE p.currency <> known.value ->> 1', replace: 'WHERE 0' }],
	},
	{
		name: 'outbox: deletes rows that were not read',
		why: 'all rows of the programs are deleted',
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
		name: 'cron: sent messages count as applied',
		why: 'rows with notifications are left to the queue, which may lose them',
		edits: [{ file: WAITING, find: IS_DUE, replace: IS_DUE.replace('sql`', `sql\`NOT ${HAS_NOTICE} AND `) }],
	},
	{
		name: 'cron: rows without notification are left to the queue',
		why: 'nothing sends them to the queue',
		edits: [{ file: WAITING, find: IS_DUE, replace: IS_DUE.replace('sql`', `sql\`${HAS_NOTICE} AND `) }],
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
		name: 'click treated as new at every attempt',
		why: 'a second delivery of a click fails forever',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: 'dated.filter(({ clickId }) => !isKnown(clickId))', replace: 'dated' }],
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
			'The outbox row waits until it is deleted with its effect, and cron applies it too. (A click has no such row: see the one above.)',
	},
	{
		name: 'nothing is sent after the commit',
		why: 'sendEffects is missing',
		edits: [
			{
				file: 'src/outbox/outbox.ts',
				find: 'if (rows.length > 0) ctx.defer(trySend(ctx, rows));',
				replace: 'void [ctx, rows, trySend];',
			},
		],
		harmless: 'Cron applies whatever waits: effects come a minute late, but none is lost.',
	},
];
