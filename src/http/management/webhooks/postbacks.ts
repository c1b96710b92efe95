import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { POSTBACK_EVENTS } from '../../../domain/webhooks/postback.ts';
import { WEBHOOK_ERRORS } from '../../../domain/webhooks/webhook-outcome.ts';
import { once } from '../../../once.ts';
import { deletePostback } from '../../../postbacks/delete-postback.ts';
import type { PostbackDelivery } from '../../../postbacks/delivery.ts';
import { listPostbackDeliveries } from '../../../postbacks/list-postback-deliveries.ts';
import { ownerOf, type Postback, requirePostback } from '../../../postbacks/postback.ts';
import { sendTestPostback } from '../../../postbacks/send-test-postback.ts';
import { setPostback } from '../../../postbacks/set-postback.ts';
import { switchPostback } from '../../../postbacks/switch-postback.ts';
import type { AppEnv } from '../../app-env.ts';
import { Flag, FreeText, Strict } from '../../fields.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, noQuery, optionalBody, params, query } from '../../validate.ts';
import { requirePartnerProgram, requireProgram } from '../session.ts';

const Event = once(() => z.enum(POSTBACK_EVENTS, `must be one of ${POSTBACK_EVENTS.join(', ')}`));
const Events = once(() =>
	z.pipe(
		z
			.array(Event(), 'must be a list of events')
			.check(z.minLength(1, 'must name at least one event'), z.maxLength(20, 'must name at most 20 events')),
		z.transform((events) => POSTBACK_EVENTS.filter((event) => events.includes(event))),
	),
);

export const PostbackRequest = once(() => Strict({ url: FreeText(2_000), events: Events() }));

export const PostbackTestRequest = once(() => Strict({ event: z.optional(Event()) }));

export const PostbackSwitch = once(() => Strict({ enabled: Flag() }));

/** /api/v1/partner-programs/:id/postback */
export const ownPostback = new Hono<AppEnv>()
	.get('/', requirePartnerProgram('suspended'), noQuery, async (c) => {
		const { ctx, membership } = c.var;
		return c.json({ success: true, data: postbackOnWire(await requirePostback(ctx, membership)) });
	})
	.put('/', requirePartnerProgram('active'), body(PostbackRequest), async (c) => {
		const { ctx, membership } = c.var;
		return c.json({ success: true, data: postbackOnWire(await setPostback(ctx, membership, c.req.valid('json'))) });
	})
	.delete('/', requirePartnerProgram('active'), async (c) => {
		const { ctx, membership } = c.var;
		await deletePostback(ctx, membership);
		return c.json({ success: true, data: null });
	})
	.post('/test', requirePartnerProgram('active'), optionalBody(PostbackTestRequest), async (c) => {
		const { ctx, membership } = c.var;
		const sent = await sendTestPostback(ctx, membership, c.req.valid('json').event);
		return c.json({ success: true, data: ownDeliveryOnWire(sent) }, 201);
	})
	.get('/deliveries', requirePartnerProgram('suspended'), query(PageQuery), async (c) => {
		const { ctx, membership } = c.var;
		const page = await listPostbackDeliveries(ctx, membership, c.req.valid('query'));
		return c.json({ success: true, data: page.rows.map(ownDeliveryOnWire), meta: metaOf(page) });
	});

/** /api/v1/programs/:id/partners/:partnerId/postback, for members. Owners and admins can disable it. */
export const postbackOfPartner = new Hono<AppEnv>()
	.get('/', requireProgram('member'), noQuery, params(['partnerId']), async (c) => {
		const { ctx, program } = c.var;
		const owner = ownerOf(program, c.req.valid('param').partnerId);
		return c.json({ success: true, data: postbackOnWire(await requirePostback(ctx, owner)) });
	})
	.patch('/', requireProgram('admin'), params(['partnerId']), body(PostbackSwitch), async (c) => {
		const { ctx, program } = c.var;
		const switched = await switchPostback(ctx, program, c.req.valid('param').partnerId, c.req.valid('json').enabled);
		return c.json({ success: true, data: postbackOnWire(switched) });
	})
	.get('/deliveries', requireProgram('member'), params(['partnerId']), query(PageQuery), async (c) => {
		const { ctx, program } = c.var;
		const owner = ownerOf(program, c.req.valid('param').partnerId);
		const page = await listPostbackDeliveries(ctx, owner, c.req.valid('query'));
		return c.json({ success: true, data: page.rows.map(deliveryOnWire), meta: metaOf(page) });
	});

function postbackOnWire(postback: Postback) {
	return {
		url: postback.url,
		events: postback.events,
		enabled: postback.disabledAt === null,
		disabled_at: isoOf(postback.disabledAt),
		disabled_for: postback.disabledFor,
		failures: postback.failures,
		failing_since: isoOf(postback.failingSince),
		created_at: isoOf(postback.createdAt),
	};
}

function deliveryOnWire(delivery: PostbackDelivery) {
	return {
		id: delivery.id,
		event: delivery.event,
		test: delivery.isTest,
		url: delivery.address,
		status: delivery.state,
		attempts: delivery.attempts,
		next_attempt_at: isoOf(delivery.nextAttemptAt),
		last_attempt_at: isoOf(delivery.lastAttemptAt),
		last_status: delivery.lastStatus,
		last_error: delivery.lastError && WEBHOOK_ERRORS[delivery.lastError],
		created_at: isoOf(delivery.createdAt),
	};
}

/** Only the partner sees the response of their system. */
function ownDeliveryOnWire(delivery: PostbackDelivery) {
	return { ...deliveryOnWire(delivery), last_response: delivery.lastResponse };
}
