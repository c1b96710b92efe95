import { moneyText } from '../money.ts';
import { utcText } from '../time-text.ts';
import { deviceOf } from './device.ts';
import { saidName } from './email-text.ts';

// What happened to an account. Nobody can turn these emails off, because a thief would.

export interface GivenUp {
	readonly programName: string;
	readonly currency: string;
	readonly amountCents: number;
}

export type AccountEmail = {
	readonly name: string;
	/** In ms, UTC. */
	readonly at: number;
} & (
	| { readonly kind: 'password_changed' }
	| { readonly kind: 'new_device'; readonly userAgent: string | null; readonly network: string | null }
	| { readonly kind: 'account_deleted'; readonly givenUp: readonly GivenUp[] }
);

const KINDS: readonly string[] = ['password_changed', 'new_device', 'account_deleted'] satisfies readonly AccountEmail['kind'][];

export function isOfAccount(email: { readonly kind: string }): email is AccountEmail {
	return KINDS.includes(email.kind);
}

export function wordsOfAccount(email: AccountEmail, publicUrl: string): [subject: string, ...paragraphs: string[]] {
	const [hello, at] = [`Hello ${saidName(email.name)},`, utcText(email.at)];
	const reset = `${publicUrl}/reset-password`;
	switch (email.kind) {
		case 'password_changed':
			return [
				'Your password was changed',
				hello,
				`Your password was changed on ${at}. Sessions that began before have ended.`,
				'If it was not you, reset your password at once:',
				reset,
			];
		case 'new_device':
			return [
				'New sign-in to your account',
				hello,
				`Someone signed in to your account on ${at}, from a device and a network that you have not used lately.`,
				`Device: ${saidName(deviceOf(email.userAgent))}\nNetwork: ${networkText(email.network)}`,
				'If it was you, there is nothing to do. If it was not, reset your password at once, which also ends that session:',
				reset,
			];
		case 'account_deleted':
			return [
				'Your account was deleted',
				hello,
				`Your account was deleted on ${at}. Your name, email address, password and payout details are deleted with it. This cannot be undone.`,
				...givenUpText(email.givenUp),
				'If it was not you, contact the programs that you worked with.',
			];
	}
}

function givenUpText(givenUp: readonly GivenUp[]): string[] {
	if (givenUp.length === 0) return [];
	const lines = givenUp.map(({ programName, currency, amountCents }) => `- ${saidName(programName)}: ${moneyText(amountCents, currency)}`);
	return [`You gave up what these programs had not paid you yet:\n\n${lines.join('\n')}`];
}

/** A proxy in front of the service may pass on anything as an address. */
function networkText(network: string | null): string {
	return network !== null && /^[0-9a-f:./]+$/.test(network) ? network : 'Not known';
}
