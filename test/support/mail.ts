import type { MailBindings } from '../../src/mailer.ts';

// Mail that is on, and goes into the test's hands.

export const PUBLIC_URL = 'https://track.example';

export interface Mailbox {
	/** What the service is given in place of its own bindings. */
	readonly bindings: Required<MailBindings> & Pick<Env, 'MAIL'>;
	/** What was sent, oldest first. */
	readonly letters: EmailMessageBuilder[];
}

/** A mailbox that takes every letter, unless `refuse` throws. */
export function aMailbox(refuse: (letter: EmailMessageBuilder) => unknown = () => undefined): Mailbox {
	const letters: EmailMessageBuilder[] = [];
	const send = async (letter: EmailMessage | EmailMessageBuilder): Promise<EmailSendResult> => {
		if (!('subject' in letter)) throw new Error('The service makes no letters of its own');
		await refuse(letter);
		letters.push(letter);
		return { messageId: `<${letters.length}@mail.example>` };
	};
	return { letters, bindings: { MAIL: { send }, MAIL_FROM: 'Tracker <mail@track.example>', PUBLIC_URL } };
}

/** An error as Cloudflare's Email Service throws it. */
export function mailError(code: string, message = 'No letter today'): Error {
	return Object.assign(new Error(message), { code });
}
