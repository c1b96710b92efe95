import type { Delivery, Processor, Verified } from '../processor.ts';
import { identifierIn, jsonIn } from '../reading/fields.ts';
import { instantOf } from '../reading/signature.ts';
import { customEventIn, EVENT_TYPES } from './body.ts';
import { differingFields } from './differing-fields.ts';
import { readCustomEvent } from './read-event.ts';
import { refusedCallOfEvent } from './refused-call.ts';
import { isSigned } from './verify-signature.ts';

/** Allows for clock differences. */
const AHEAD_MS = 300_000;

/** A backend that reports an unsupported processor's payments, by Standard Webhooks. */
export const processor: Processor = {
	name: 'custom',
	title: 'Custom',
	isOwnBackend: true,
	signatureHeaders: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
	eventTypes: EVENT_TYPES,
	hasOwnIds: true,
	secretForm: {
		// 24 to 64 bytes, as Standard Webhooks requires.
		pattern: /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
		error: 'must be a signing secret of Standard Webhooks: "whsec_" and the base64 of 24 to 64 random bytes',
		prefix: 'whsec_',
		namesMode: false,
		isOurs: true,
	},
	repetitions: { differingFields, refusedCallOf: refusedCallOfEvent },
	refusals: {
		unsigned:
			'A header is missing: this address takes webhooks with the headers webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks',
		forged:
			'The webhook-signature does not match this body, or webhook-timestamp is more than 5 minutes from the time here. Check that it is "v1," and the base64 of an HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots, that the key is the part after "whsec_", decoded from base64, that nothing changes the body on its way, and that the clocks are right',
		unreadable: 'The body must be a JSON object with type, timestamp and data, nested at most 32 levels deep',
	},
	unattributed: ({ sale }) =>
		`${sale.isRecurring ? 'renewal' : 'payment'} not attributed: nothing reported whose subscription it is. Send customer_key or click_id with it, or with the signup or first payment of the subscription`,
	signedAt: (headers) => instantOf(headers['webhook-timestamp']),
	verify: async (delivery, secrets, now) => {
		const { payload, headers } = delivery;
		const [id = '', timestamp = '', signature = ''] = processor.signatureHeaders.map((name) => headers[name]);
		const texts = secrets.map(({ secret }) => secret);
		return (await isSigned({ payload, id, timestamp, signature }, texts, now)) ? verified(delivery, id, now) : undefined;
	},
	read: (body, _envelope, basis) => readCustomEvent(body, basis),
};

function verified({ payload }: Delivery, id: string, now: number): Verified {
	const body = jsonIn(payload, { fatal: true });
	const none = { body, envelope: undefined };
	const eventId = identifierIn(id);
	if (eventId === undefined || eventId !== id)
		return { ...none, problem: 'webhook-id must be a text of 1 to 255 characters, without control characters' };
	if (body === undefined) return { ...none, problem: 'The body must be JSON in UTF-8' };
	const read = customEventIn(body);
	if ('problem' in read) return { ...none, problem: read.problem };
	const { type, timestamp, test } = read.event;
	if (timestamp > now + AHEAD_MS) return { ...none, problem: 'timestamp must not be in the future' };
	return { body, envelope: { eventId, type, isTest: test, happenedAt: timestamp } };
}
