import { moneyText } from '../money.ts';
import type { NotificationKind } from './notification.ts';
import type { Role } from './role.ts';

/** Every email: its recipient and its content. */
export type Email = {
	readonly to: string;
} & (
	| {
			readonly kind: 'password_reset';
			readonly name: string;
			/** Sets a new password, once, within the hour. */
			readonly token: string;
	  }
	| {
			readonly kind: 'member_invitation';
			readonly workspaceName: string;
			readonly invitedBy: string;
			readonly role: Role;
			/** For the link by which the recipient joins. */
			readonly token: string;
	  }
	| {
			readonly kind: 'partner_invitation';
			readonly programName: string;
			readonly token: string;
	  }
	| {
			readonly kind: 'payout_details_changed';
			readonly name: string;
			readonly workspaceName: string;
			/** The new details, masked; null: they were removed. */
			readonly summary: string | null;
	  }
	| {
			/** To the former person of a partner. */
			readonly kind: 'partner_detached';
			readonly name: string;
			readonly workspaceName: string;
	  }
	| {
			readonly kind: 'application_received';
			readonly programName: string;
	  }
	| {
			readonly kind: 'application_approved';
			readonly programName: string;
			/** For the link by which the recipient becomes the partner; undefined if they are it already. */
			readonly token: string | undefined;
	  }
	| {
			readonly kind: 'application_declined';
			readonly programName: string;
			readonly reason: string | null;
	  }
	| {
			/** To the operators of the service. */
			readonly kind: 'alert';
			readonly subject: string;
			readonly message: string;
	  }
	| ({ readonly kind: 'notifications' } & News)
	| ({ readonly kind: 'earnings' } & Earnings)
);

/** The content of a notification email. */
interface OfNotifications {
	readonly name: string;
	/** Ends all such emails for whoever has it. */
	readonly unsubscribeToken: string;
}

interface News extends OfNotifications {
	/** The newest of `count`. */
	readonly notifications: readonly EmailedNotification[];
	readonly count: number;
}

export interface EmailedNotification {
	readonly kind: NotificationKind;
	readonly programName: string;
	readonly message: string;
}

/** Earnings since the last such email. */
interface Earnings extends OfNotifications {
	readonly earned: readonly {
		readonly programName: string;
		readonly currency: string;
		readonly count: number;
		readonly amountCents: number;
	}[];
}

export interface EmailText {
	readonly subject: string;
	readonly text: string;
	/** Where the reader unsubscribes from the kind; undefined for emails that they asked for. */
	readonly unsubscribeUrl: string | undefined;
}

/** The text of the email. `publicUrl` is the service's own origin: no caller may decide where a link leads. */
export function textOf(letter: Email, publicUrl: string): EmailText {
	const [subject, ...paragraphs] = wordsOf(letter, publicUrl);
	const unsubscribeUrl = 'unsubscribeToken' in letter ? `${publicUrl}/unsubscribe/${letter.unsubscribeToken}` : undefined;
	const footer = unsubscribeUrl === undefined ? publicUrl : `${publicUrl}\nNo more letters like this: ${unsubscribeUrl}`;
	return { subject: oneLine(subject, SUBJECT_LENGTH), text: `${paragraphs.join('\n\n')}\n\n-- \n${footer}\n`, unsubscribeUrl };
}

function wordsOf(letter: Email, publicUrl: string): [subject: string, ...paragraphs: string[]] {
	switch (letter.kind) {
		case 'password_reset':
			return [
				'Reset your password',
				`Hello ${saidName(letter.name)},`,
				'somebody asked to reset your password. If it was you, this link sets a new one. It works once, within the hour:',
				linkTo(publicUrl, 'reset-password', letter.token),
				'If it was not you, do nothing: your password stays as it is.',
			];
		case 'member_invitation': {
			const [workspace, inviter] = [saidName(letter.workspaceName), saidName(letter.invitedBy)];
			return [
				`Invitation to ${workspace}`,
				`${inviter} invites you to the workspace "${workspace}" as ${ROLE_WORDS[letter.role]}. This link lets you in. It works once, within seven days:`,
				linkTo(publicUrl, 'invitation', letter.token),
				UNEXPECTED,
			];
		}
		case 'payout_details_changed':
			return ofChangedDetails(letter.name, letter.workspaceName, letter.summary);
		case 'partner_detached':
			return ofDetached(letter.name, letter.workspaceName);
		case 'partner_invitation': {
			const program = saidName(letter.programName);
			return [
				`Invitation to be a partner of ${program}`,
				`"${program}" invites you to be its partner: to recommend it by links of your own, and to earn a commission of what they bring. This link lets you in. It works once, within seven days:`,
				linkTo(publicUrl, 'invitation', letter.token),
				UNEXPECTED,
			];
		}
		case 'application_received': {
			const program = saidName(letter.programName);
			return [
				`Your application to ${program}`,
				`Your application to be a partner of "${program}" has come in. You will get a letter once it is decided.`,
				'If you did not apply, do nothing.',
			];
		}
		case 'application_approved': {
			const program = saidName(letter.programName);
			const approved = `Your application to be a partner of "${program}" was approved.`;
			if (letter.token === undefined) return [`You are a partner of ${program}`, `${approved} Sign in as usual.`];
			return [
				`You are a partner of ${program}`,
				`${approved} This link lets you in. It works once, within seven days:`,
				linkTo(publicUrl, 'invitation', letter.token),
			];
		}
		case 'application_declined':
			return ofDeclined(letter.programName, letter.reason);
		case 'alert':
			return [letter.subject, letter.message];
		case 'notifications':
			return newsOf(letter);
		case 'earnings':
			return earningsOf(letter);
	}
}

function newsOf({ name, notifications, count }: News): [subject: string, ...paragraphs: string[]] {
	const messages = notifications.map(({ message, programName }) => {
		const said = programName === '' ? message : message.replaceAll(programName, saidName(programName));
		return `- ${oneLine(said, MESSAGE_LENGTH)}`;
	});
	const more = count > notifications.length ? [`and ${count - notifications.length} more, all of which the service lists.`] : [];
	return [subjectOf(notifications, count), `Hello ${saidName(name)},`, messages.join('\n'), ...more];
}

/** `Payout: Tea`, if there is only one. */
function subjectOf(notifications: readonly EmailedNotification[], count: number): string {
	const [subjects, programs] = [
		new Set(notifications.map(({ kind }) => SUBJECTS[kind])),
		new Set(notifications.map(({ programName }) => programName)),
	];
	const [subject = ''] = subjects.size === 1 ? subjects : ['Commissions and payouts'];
	const of = programs.size === 1 ? `: ${saidName([...programs].join(''))}` : '';
	return `${subject}${count > 1 ? ` (${count})` : ''}${of}`;
}

const SUBJECTS = {
	commission_created: 'Commission earned',
	commission_reversed: 'Commission reversed',
	commission_reinstated: 'Commission given back',
	commission_rejected: 'Commission rejected',
	payout_made: 'Payout',
	payout_sent: 'Payout sent',
	payout_failed: 'Payout failed',
	payout_details_changed: 'Payout details changed',
	payout_file_made: 'Payout file downloaded',
	application_received: 'Somebody applied',
	webhook_disabled: 'A webhook is disabled',
	postback_disabled: 'Your postback is off',
	membership_suspended: 'Membership suspended',
	membership_resumed: 'Membership goes on',
	membership_ended: 'Membership ended',
	manual_review: 'Please review a commission',
	processor_silent: 'Payment processor is silent',
	reversal_refused: 'A refund does not count',
} as const satisfies Record<NotificationKind, string>;

function earningsOf({ name, earned }: Earnings): [subject: string, ...paragraphs: string[]] {
	const count = earned.reduce((sum, of) => sum + of.count, 0);
	const lines = earned.map((of) => {
		const commissions = of.count === 1 ? '1 commission' : `${of.count} commissions`;
		return `- ${saidName(of.programName)}: ${commissions}, ${moneyText(of.amountCents, of.currency)}`;
	});
	return [
		count === 1 ? 'You earned a commission' : `You earned ${count} commissions`,
		`Hello ${saidName(name)},`,
		`since the last letter like this you earned:\n\n${lines.join('\n')}`,
		'A commission that is on hold can still be taken back by a refund.',
	];
}

function ofChangedDetails(name: string, workspaceName: string, summary: string | null): [subject: string, ...paragraphs: string[]] {
	const workspace = saidName(workspaceName);
	return [
		`Your payout details at ${workspace} were changed`,
		`Hello ${saidName(name)},`,
		summary === null
			? `the details by which "${workspace}" pays you were removed.`
			: `the details by which "${workspace}" pays you were changed. They are now: ${summary}.`,
		'If it was not you, somebody else may be signed in as you: change your password, and tell them at once.',
	];
}

function ofDeclined(programName: string, reason: string | null): [subject: string, ...paragraphs: string[]] {
	const program = saidName(programName);
	const because = reason === null ? [] : [`The reason that was given: ${saidName(reason, REASON_LENGTH)}`];
	return [`Your application to ${program}`, `Your application to be a partner of "${program}" was declined.`, ...because];
}

function ofDetached(name: string, workspaceName: string): [subject: string, ...paragraphs: string[]] {
	const workspace = saidName(workspaceName);
	return [
		`You are no longer signed in as a partner of ${workspace}`,
		`Hello ${saidName(name)},`,
		`an owner of "${workspace}" has taken you off their partner: you read and change nothing there any more, and your payout details there were removed. What was earned stays with the partner.`,
		'If you do not expect this, ask them.',
	];
}

const UNEXPECTED = 'If you do not expect this, do nothing: nobody joins in your name without the link.';

const ROLE_WORDS = { owner: 'an owner', admin: 'an admin', member: 'a member' } as const satisfies Record<Role, string>;

/** Behind the # it reaches neither logs nor other sites. */
function linkTo(publicUrl: string, page: 'reset-password' | 'invitation', token: string): string {
	return `${publicUrl}/${page}#token=${token}`;
}

const SUBJECT_LENGTH = 150;
const NAME_LENGTH = 60;
const REASON_LENGTH = 500;
const MESSAGE_LENGTH = 1_000;

/** Dots, slashes, colons and at signs, and their look-alikes: mail programs make links of them. */
const OF_LINKS = /[.:/@\\\u2024\u2044\u2215\u3002\uFE52\uFE55\uFE6B\uFE68\uFF0E\uFF0F\uFF1A\uFF20\uFF3C\uFF61]+(?=\S)/g;

/** A name for strangers: nobody can advertise by it, because nothing in it becomes a link. */
function saidName(name: string, length = NAME_LENGTH): string {
	return oneLine(withoutDirections(name).replace(OF_LINKS, ' '), length);
}

/** Without control characters, cut to this length. */
function oneLine(text: string, length: number): string {
	const characters = Array.from(
		withoutDirections(text)
			.replace(/[\p{Cc}\s]+/gu, ' ')
			.trim(),
	);
	return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}

/** Without characters that change the reading direction: a name could make the rest of the email read otherwise. */
function withoutDirections(text: string): string {
	return text.replace(/\p{Bidi_Control}+/gu, '');
}
