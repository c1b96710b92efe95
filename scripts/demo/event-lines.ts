import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { bad, faint, good } from './terminal.ts';

/** A log line written by src/http/event-log.ts. */
const Tracked = z.object({
	event: z.literal('tracked'),
	type: z.string(),
	answer: z.int(),
	error: z.optional(z.string()),
	message: z.optional(z.string()),
	reason: z.optional(z.string()),
	status: z.optional(z.string()),
	partner_code: z.optional(z.string()),
	attributed: z.optional(z.boolean()),
	lead_id: z.optional(z.int()),
	sale_id: z.optional(z.int()),
	commission_id: z.optional(z.int()),
	deductionAmount: z.optional(z.number()),
	test: z.optional(z.boolean()),
	origin: z.optional(z.string()),
	leads_to: z.optional(z.string()),
});

type Tracked = z.infer<typeof Tracked>;

/** A log line written by src/http/event-log.ts for a payment processor's webhook. */
const Webhook = z.object({
	event: z.literal('webhook_received'),
	processor: z.string(),
	answer: z.int(),
	error: z.optional(z.string()),
	id: z.optional(z.string()),
	type: z.optional(z.string()),
	new: z.optional(z.boolean()),
	test: z.optional(z.boolean()),
});

type Webhook = z.infer<typeof Webhook>;

/** How to format lines. */
export interface Reading {
	readonly at: Date;
	/** Hides wrangler's line for each call. */
	readonly isQuiet: boolean;
	/** Hides events, because the start script itself sends them. */
	readonly isStarting: boolean;
}

/** Formats a line of the service's output: events as readable text, any other line unchanged. Undefined if the line is hidden. */
export function readable(line: string, { at, isQuiet, isStarting }: Reading): string | undefined {
	const plain = stripVTControlCharacters(line);
	if (isQuiet && plain.startsWith('[wrangler:info]')) return undefined;
	// The log contains such a refusal twice: once for the operator, and once in the event's own line.
	if (
		isQuiet &&
		/"event":"refused".*"route":"(\/api\/(v1\/track|tracking)\/(click|lead|sale|refund)|\/webhooks\/\w+\/:programId)"/.test(plain)
	)
		return undefined;
	const webhook = parse(plain, Webhook);
	if (webhook) return isStarting ? undefined : `${faint(timeOf(at))}  ${webhookLine(webhook)}`;
	const tracked = parse(plain, Tracked);
	// Logs of crons matter only in production.
	if (!tracked && isQuiet && plain.startsWith('{"level":"info"')) return undefined;
	if (!tracked) return line;
	if (isStarting) return undefined;
	const isRefused = tracked.answer >= 400;
	const mark = isRefused ? bad('refused') : good('ok     ');
	return `${faint(timeOf(at))}  ${tracked.type.padEnd(6)}  ${mark}  ${isRefused ? refusalOf(tracked) : successOf(tracked)}`;
}

function timeOf(at: Date): string {
	return at.toTimeString().slice(0, 8);
}

/** The sender of a webhook controls its id and type, so control characters are removed from both. */
function webhookLine({ processor, answer, error = '', id = '', type = '', new: isNew, test }: Webhook): string {
	const name = [processor, 'webhook', id, type].filter((part) => part !== '').join(' ');
	const outcome =
		answer < 400
			? `: ${good(isNew === false ? 'already accepted' : 'accepted')}${test ? ', test' : ''}`
			: ` ${bad(answer < 500 ? 'refused' : 'failed')} with ${answer}: ${error}`;
	return `${harmless(name)}${outcome}`;
}

function harmless(text: string): string {
	return stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, ' ');
}

function parse<Line extends Tracked | Webhook>(line: string, shape: z.ZodType<Line>): Line | undefined {
	if (!line.startsWith('{')) return undefined;
	try {
		return shape.safeParse(JSON.parse(line)).data;
	} catch {
		return undefined;
	}
}

function refusalOf({ answer, error, message, origin }: Tracked): string {
	const from = origin === undefined ? '' : ` (page on ${origin})`;
	return `${answer} ${error ?? ''}${message === undefined ? '' : ` ${message}`}${from}`;
}

function successOf(tracked: Tracked): string {
	const { message, reason, status, origin, leads_to: leadsTo } = tracked;
	const parts = [
		status && `${status}${reason === undefined ? '' : `: ${reason}`}`,
		message,
		tracked.partner_code && `partner ${tracked.partner_code}`,
		tracked.lead_id !== undefined && `lead ${tracked.lead_id}`,
		tracked.attributed !== undefined && (tracked.attributed ? 'attributed' : 'not attributed'),
		tracked.sale_id !== undefined && `sale ${tracked.sale_id}`,
		tracked.commission_id !== undefined && `commission ${tracked.commission_id}`,
		tracked.deductionAmount !== undefined && `${tracked.deductionAmount} deducted`,
		leadsTo && `redirected to ${leadsTo}`,
		origin && `page on ${origin}`,
		tracked.test && 'test',
	].filter((part) => typeof part === 'string' && part !== '');
	return parts.length === 0 ? 'recorded' : parts.join(', ').replaceAll('., ', ', ');
}
