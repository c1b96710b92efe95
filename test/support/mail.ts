import type { MailBindings } from '../../src/mailer.ts';

// Turns email on, and keeps the sent emails for the test.

export const PUBLIC_URL = 'https://track.example';

export interface Mailbox {
	/** Replaces the service's own bindings. */
	readonly bindings: Required<MailBindings> & Pick<Env, 'MAIL'>;
	readonly emails: EmailMessageBuilder[];
}

/** Accepts every email, unless `refuse` throws. */
export function aMailbox(refuse: (email: EmailMessageBuilder) => unknown = () => undefined): Mailbox {
	const emails: EmailMessageBuilder[] = [];
	const send = async (email: EmailMessage | EmailMessageBuilder): Promise<EmailSendResult> => {
		if (!('subject' in email)) throw new Error('The service makes no letters of its own');
		await refuse(email);
		emails.push(email);
		return { messageId: `<${emails.length}@mail.example>` };
	};
	return { emails, bindings: { MAIL: { send }, MAIL_FROM: 'Tracker <mail@track.example>', PUBLIC_URL } };
}

/** An error like those of Cloudflare's Email Service. */
export function mailError(code: string, message = 'No letter today'): Error {
	return Object.assign(new Error(message), { code });
}
