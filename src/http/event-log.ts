import { createMiddleware } from 'hono/factory';
import { redacted } from '../domain/redacted.ts';
import type { AppContext, AppEnv } from './app-env.ts';

/** Never a click id, customer key, address or order number. */
const LOGGED_FIELDS = [
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

type LoggedField = (typeof LOGGED_FIELDS)[number];

/** Logs each event, recorded or refused, if LOG_EVENTS is `on`, as in `npm run dev`. */
export function loggedAs(type: 'click' | 'lead' | 'sale' | 'refund') {
	return createMiddleware<AppEnv>(async (c, next) => {
		await next();
		if (c.env.LOG_EVENTS !== 'on') return;
		const answer = await bodyOf(c.res);
		c.get('ctx').log({ level: 'info', event: 'tracked', type, answer: c.res.status, ...loggedFieldsOf(answer), ...addressesOf(c) });
	});
}

/** The log has the event's id and type only if the signature is valid. */
export function loggedWebhook(processor: string) {
	return createMiddleware<AppEnv>(async (c, next) => {
		await next();
		if (c.env.LOG_EVENTS !== 'on') return;
		const { error } = await bodyOf(c.res);
		const { received } = c.var;
		c.get('ctx').log({
			level: 'info',
			event: 'webhook_received',
			processor,
			answer: c.res.status,
			...(typeof error === 'string' ? { error: redacted(error) } : {}),
			// A program's backend chooses both and could put an email address into them.
			...(received && { id: redacted(received.eventId), type: redacted(received.type), new: received.isNew, test: received.isTest }),
		});
	});
}

async function bodyOf(answer: Response): Promise<Readonly<Record<string, unknown>>> {
	if (answer.headers.get('Content-Type')?.includes('json') !== true) return {};
	const body: unknown = await answer.clone().json();
	return Object(body);
}

function loggedFieldsOf(
	answer: Readonly<Record<string, unknown>>,
): Partial<Record<LoggedField | 'test', string | number | boolean | null>> {
	const fields = LOGGED_FIELDS.map((name) => [name, answer[name]] as const).filter(
		(entry): entry is [LoggedField, string | number | boolean | null] => ['string', 'number', 'boolean'].includes(typeof entry[1]),
	);
	return { ...Object.fromEntries(fields), ...(answer['data'] === undefined ? {} : { test: true }) };
}

/** Only hosts, because the rest of the URL contains the click. */
function addressesOf(c: AppContext): { readonly origin?: string; readonly leads_to?: string } {
	const origin = c.req.header('Origin');
	const location = URL.parse(c.res.headers.get('Location') ?? '');
	return { ...(origin === undefined ? {} : { origin }), ...(location ? { leads_to: location.host } : {}) };
}
