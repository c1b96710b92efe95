import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { type Context, describeFault } from '../context.ts';
import { isRaced, refusedWith, retryOnConflict, type Statement, write } from '../db/client.ts';
import { erasures } from '../db/schema/privacy.ts';
import { isErasedName } from '../domain/attribution/customer-key.ts';
import { containsId } from '../domain/people/erasure.ts';
import { redactCustomerDeliveries } from './redact-notifications.ts';
import { type PersonQuery, findPerson, type Person } from './person.ts';
import { pseudonymsFor } from '../customers/erased-ids.ts';
import {
	eraseReferences,
	eraseClicks,
	eraseRefusals,
	eraseTests,
	rememberErased,
	replaceSharedClicks,
	pseudonymOf,
} from './erased-rows.ts';
import { nameIn } from './named.ts';
import { beginSearch, type Search } from './search.ts';
import { type ErasureCounts, sweepErasure } from './sweep-erasures.ts';

export interface ErasureReceipt {
	readonly id: number;
	readonly counts: ErasureCounts;
}

/**
 * Erases a person's data in a program. Indexed rows change in one batch. After the response, a search erases leads, bodies, dead letters
 * and notifications; cron repeats it, because queues may still hold some. Sums and the ledger stay. Two round trips. Rejects with 404 if
 * nothing is stored.
 */
export async function eraseCustomer(ctx: Context, program: ManagedProgram, query: PersonQuery): Promise<ErasureReceipt> {
	const { receipt, search } = await retryOnConflict(async () => {
		// Without their bucket, the sweep keeps the erasure open.
		const person = await findPerson(ctx, program, query, { mayLackFiles: true });
		return eraseOnce(ctx, program, person);
	}, isOvertaken);
	ctx.defer(
		sweepErasure(ctx, { id: receipt.id, programId: program.id, requestedAt: ctx.now, revision: 0, counts: receipt.counts }, search).catch(
			(error: unknown) => ctx.log({ level: 'error', event: 'erasure_not_swept', erasureId: receipt.id, ...describeFault(error) }),
		),
	);
	return receipt;
}

/** A trigger refuses the empty refund_id of a refund that was not read. */
function isOvertaken(error: unknown): boolean {
	return isRaced(error) || refusedWith(error, 'refund_events: append-only');
}

async function eraseOnce(ctx: Context, program: ManagedProgram, person: Person) {
	const search = beginSearch(person);
	const names = [...person.keys, ...person.emails, ...person.clickIds];
	const living = person.customers.filter(({ erasedAt }) => erasedAt === null);
	const ids = JSON.stringify(person.customers.map(({ id }) => id));
	const counts: ErasureCounts = {
		customers: living.length,
		clicks: person.clicks.filter(({ clickId }) => !isErasedName(clickId)).length,
		leads: 0,
		sales: living.length === 0 ? 0 : person.sales.length,
		refusals: person.refusals.length,
		processor_events: 0,
		dead_letters: 0,
		notifications: 0,
	};
	const erasure = ctx.db
		.insert(erasures)
		.values({
			programId: program.id,
			requestedBy: program.actor.userId,
			requestedAt: ctx.now,
			counts: JSON.stringify(counts),
			sealedSearch: await ctx.secrets.seal(JSON.stringify(search)),
			nextSweepAt: ctx.now,
		})
		.returning({ id: erasures.id });
	const { made } = await write(
		ctx.db,
		[
			...(await rememberErased(ctx, program.id, [...person.keys, ...person.clickIds, ...person.subscriptionIds])),
			eraseCustomers(ctx, living, search.pseudonyms),
			replaceSharedClicks(ctx, program.id, search.pseudonyms),
			...(await eraseClicks(ctx, program.id, search.pseudonyms)),
			...(await eraseSales(ctx, ids, person)),
			...redactCustomerDeliveries(ctx, ids, search.pseudonyms),
			...eraseReferences(ctx, program.id, { ...person, processorIds: person.subscriptionIds }),
			eraseRefusals(ctx, program.id, names),
			...eraseTests(ctx, program.id, names, person.subscriptionIds),
			...living.map(({ id }) => auditProgram(ctx, program, { action: 'customer.erase', subjectId: id })),
			...(living.length === 0 ? [auditProgram(ctx, program, { action: 'customer.erase' })] : []),
		],
		{ made: erasure },
	);
	const [row] = made;
	if (!row) throw new Error('The erasure was not recorded');
	return { receipt: { id: row.id, counts }, search };
}

/**
 * Aborts the batch if a customer has changed since the read. A customer needs a key or a click, so one without a click gets a pseudonym as
 * its key.
 */
function eraseCustomers(
	ctx: Context,
	living: readonly { readonly id: number; readonly revision: number }[],
	pseudonyms: Search['pseudonyms'],
): Statement {
	const read = JSON.stringify(living.map(({ id, revision }) => [id, revision]));
	return ctx.db.run(sql`
		UPDATE customers AS c SET
			customer_key = iif(c.click_id IS NULL, 'erased_' || lower(hex(randomblob(12))), NULL),
			click_id = ${pseudonymOf(sql`c.click_id`, pseudonyms)},
			email = NULL, email_hash = NULL, sub_id = NULL, key_from_page = 0, erased_at = ${ctx.now}, revision = (read.value ->> 1) + 1
		FROM json_each(${read}) AS read WHERE c.id = read.value ->> 0`);
}

/**
 * Sales keep amounts, times, product and payment ids, which later refunds need. A pseudonym recognises a repeated refund_id. Aborts the
 * batch if a refund with a name was recorded since the read, because it has no pseudonym.
 */
async function eraseSales(ctx: Context, ids: string, person: Person): Promise<Statement[]> {
	const names = [...person.keys, ...person.emails, ...person.typedEmails, ...person.clickIds];
	const naming = JSON.stringify(person.sales.filter(({ transactionId }) => containsId(transactionId, names)).map(({ id }) => id));
	const refundIds = person.refundIds.flatMap(({ refundId }) => refundId ?? []);
	const pairs = JSON.stringify(
		await Promise.all(refundIds.map(async (id) => [id, containsId(id, names) ? (await pseudonymsFor(ctx, id))[0] : null])),
	);
	const isUnread = sql`r.source = 'endpoint' AND r.refund_id NOT IN (SELECT value ->> 0 FROM json_each(${pairs}))`;
	const ofPerson = sql`IN (SELECT id FROM affiliate_sale_events WHERE customer_id IN (SELECT value FROM json_each(${ids})))`;
	return [
		ctx.db.run(sql`
			UPDATE affiliate_sale_events SET line_items = NULL, subscription_id = NULL,
				processor_event_id = iif(id IN (SELECT value FROM json_each(${naming})), 'erased_' || id, processor_event_id), revision = revision + 1
			WHERE customer_id IN (SELECT value FROM json_each(${ids}))`),
		ctx.db.run(sql`
			UPDATE refund_events AS r SET reason = NULL, refund_id = coalesce(
				(SELECT pair.value ->> 1 FROM json_each(${pairs}) AS pair WHERE pair.value ->> 0 = r.refund_id),
				iif(${nameIn(sql`r.refund_id`, names)}, iif(${isUnread}, '', 'erased_' || r.id), r.refund_id))
			WHERE sale_id ${ofPerson}`),
		ctx.db.run(sql`
			UPDATE commissions SET refund_reason = NULL, rejection_reason = NULL, revision = revision + 1
			WHERE sale_id ${ofPerson} AND (refund_reason IS NOT NULL OR rejection_reason IS NOT NULL)`),
	];
}
