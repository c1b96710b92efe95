import type { Email } from './domain/people/email.ts';
import { parseSecureAddress } from './domain/web-address.ts';
import { onceImported } from './once.ts';

/** Loaded on demand, because few isolates ever send an email. */
const forTexts = onceImported(() => import('./domain/people/email.ts'));

/** `later`: a retry may succeed. `never`: no retry will. */
export type Sent = 'sent' | 'later' | 'never';

/** Tries up to three times and never throws. Logs failures without the address. */
export type Mailer = (email: Email) => Promise<Sent>;

/** The optional bindings for mail (wrangler.toml). */
export interface MailBindings {
	readonly MAIL?: Pick<SendEmail, 'send'>;
	readonly MAIL_FROM?: string;
	readonly PUBLIC_URL?: string;
}

type Log = (line: { level: 'error'; event: string; [field: string]: string | number }) => void;

/** The pauses before the second and third try, ms. */
const PAUSES = [250, 2_000];

/**
 * Undefined if mail is off. Links use only PUBLIC_URL, because a caller can choose the request's host; without PUBLIC_URL there is no mail.
 */
export function openMailer({ MAIL, MAIL_FROM, PUBLIC_URL }: MailBindings, log: Log): Mailer | undefined {
	if (!MAIL_FROM) return undefined;
	const [from, publicUrl] = [parseSender(MAIL_FROM), parsePublicUrl(PUBLIC_URL)];
	if (!from) return off(log, 'MAIL_FROM is neither an address nor "Name <address>"');
	if (!publicUrl) return off(log, 'PUBLIC_URL is not the https address of this service');
	if (!MAIL) return off(log, 'there is no [[send_email]] binding of the name MAIL');
	return (email) => send(MAIL, { from, publicUrl, log }, email);
}

/** The service's origin for links in emails and responses. http is allowed only on this machine. */
export function parsePublicUrl(setting = ''): string | undefined {
	return parseSecureAddress(setting)?.origin;
}

function parseSender(setting: string): string | EmailAddress | undefined {
	const [, name = '', named, bare] = /^(?:([^<>\p{Cc}]*)<([^\s@<>]+@[^\s@<>]+)>|([^\s@<>]+@[^\s@<>]+))$/u.exec(setting.trim()) ?? [];
	return named !== undefined && name.trim() !== '' ? { name: name.trim(), email: named } : (named ?? bare);
}

/** Limits logging to once per isolate, not once per request. */
let isLogged = false;

function off(log: Log, reason: string): undefined {
	if (!isLogged) log({ level: 'error', event: 'mail_is_off', reason });
	isLogged = true;
	return undefined;
}

interface Sending {
	readonly from: string | EmailAddress;
	readonly publicUrl: string;
	readonly log: Log;
}

async function send(binding: Pick<SendEmail, 'send'>, { from, publicUrl, log }: Sending, email: Email): Promise<Sent> {
	const { textOf } = await forTexts();
	const { subject, text, unsubscribeUrl } = textOf(email, publicUrl);
	const headers = { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) };
	for (let turn = 0; ; turn += 1) {
		try {
			await binding.send({ from, to: email.to, subject, text, headers });
			return 'sent';
		} catch (error) {
			const code = codeOf(error);
			const pause = PAUSES[turn];
			if (pause === undefined || !MAY_PASS.has(code)) {
				const outcome = FINAL.has(code) ? 'never' : 'later';
				// The error's message may repeat the address.
				log({ level: 'error', event: 'letter_not_sent', kind: email.kind, code, outcome });
				return outcome;
			}
			await new Promise((resolve) => setTimeout(resolve, pause));
		}
	}
}

/** One POST unsubscribes (RFC 8058). The platform accepts only https URLs. */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
	if (!url?.startsWith('https:')) return {};
	return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

const UNKNOWN = 'unknown';

/** Error codes of Cloudflare's Email Service that no retry can fix. */
const FINAL = new Set([
	'E_VALIDATION_ERROR',
	'E_RECIPIENT_NOT_ALLOWED',
	'E_RECIPIENT_SUPPRESSED',
	'E_CONTENT_TOO_LARGE',
	'E_HEADER_NOT_ALLOWED',
	'E_HEADER_VALUE_INVALID',
]);

/** Error codes that an immediate retry may fix. */
const MAY_PASS = new Set(['E_INTERNAL_SERVER_ERROR', 'E_DELIVERY_FAILED', UNKNOWN]);

function codeOf(error: unknown): string {
	const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
	return typeof code === 'string' && /^E_[A-Z_]{1,40}$/.test(code) ? code : UNKNOWN;
}
