import { createMiddleware } from 'hono/factory';
import { redacted } from '../domain/redacted.ts';
import type { AppContext, AppEnv } from './app-env.ts';

/** What an answer tells of an event, without whom it is about: no click id, no key or address of a customer, no order number. */
const TOLD = [
	'error',
	'message',
	'reason',
	'status',
	'partner_code',
	'lead_id',
	'attributed',
	'sale_id',
	'commission_id',
	'deductionAmount',
] as const;

type Told = (typeof TOLD)[number];

/** A line of the log for each event that is tracked or refused, where LOG_EVENTS is `on`: `npm run dev` shows it to the developer. */
export function loggedAs(type: 'click' | 'lead' | 'sale' | 'refund') {
	return createMiddleware<AppEnv>(async (c, next) => {
		await next();
		if (c.env.LOG_EVENTS !== 'on') return;
		const said = await saidBy(c.res);
		c.get('ctx').log({ level: 'info', event: 'tracked', type, answer: c.res.status, ...reportedReversalsOf(said), ...addressesOf(c) });
	});
}

/** A line for each delivery of a payment processor. The id and type of the event are known only if the signature was right. */
export function loggedWebhook(processor: string) {
	return createMiddleware<AppEnv>(async (c, next) => {
		await next();
		if (c.env.LOG_EVENTS !== 'on') return;
		const { error } = await saidBy(c.res);
		const { received } = c.var;
		c.get('ctx').log({
			level: 'info',
			event: 'webhook_received',
			processor,
			answer: c.res.status,
			...(typeof error === 'string' ? { error: redacted(error) } : {}),
			// A program's own backend chooses both, and could put an address into them.
			...(received && { id: redacted(received.eventId), type: redacted(received.type), new: received.isNew, test: received.isTest }),
		});
	});
}

/** The body of a JSON answer; the answer itself stays to be sent. */
async function saidBy(answer: Response): Promise<Readonly<Record<string, unknown>>> {
	if (answer.headers.get('Content-Type')?.includes('json') !== true) return {};
	const body: unknown = await answer.clone().json();
	return Object(body);
}

function reportedReversalsOf(said: Readonly<Record<string, unknown>>): Partial<Record<Told | 'test', string | number | boolean | null>> {
	const told = TOLD.map((name) => [name, said[name]] as const).filter((entry): entry is [Told, string | number | boolean | null] =>
		['string', 'number', 'boolean'].includes(typeof entry[1]),
	);
	return { ...Object.fromEntries(told), ...(said['data'] === undefined ? {} : { test: true }) };
}

/** Of which page, or where a redirect leads: its host alone, as the rest holds the click. */
function addressesOf(c: AppContext): { readonly origin?: string; readonly leads_to?: string } {
	const origin = c.req.header('Origin');
	const location = URL.parse(c.res.headers.get('Location') ?? '');
	return { ...(origin === undefined ? {} : { origin }), ...(location ? { leads_to: location.host } : {}) };
}
