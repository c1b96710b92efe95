import { moneyText } from '../money.ts';
import { type AccountEmail, isOfAccount, wordsOfAccount } from './account-email.ts';
import { oneLine, saidName } from './email-text.ts';
import type { NotificationKind } from './notification.ts';
import type { Role } from './role.ts';

export type Email = {
	readonly to: string;
} & (
	| AccountEmail
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
			/** Masked; null if the details were removed. */
			readonly summary: string | null;
	  }
	| {
			/** Sent to the person who used to represent the partner. */
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
			/** Undefined if the recipient is the partner already. */
			readonly token: string | undefined;
	  }
	| {
			readonly kind: 'application_declined';
			readonly programName: string;
			readonly reason: string | null;
	  }
	| {
			readonly kind: 'alert';
			readonly subject: string;
			readonly message: string;
	  }
	| ({ readonly kind: 'payout_details_asked'; readonly programName: string } & OfNotifications)
	| ({ readonly kind: 'notifications' } & News)
	| ({ readonly kind: 'earnings' } & Earnings)
);

interface OfNotifications {
	readonly name: string;
	/** Anybody who has it can end these emails. */
	readonly unsubscribeToken: string;
}

interface News extends OfNotifications {
	readonly notifications: readonly EmailedNotification[];
	readonly count: number;
}

export interface EmailedNotification {
	readonly kind: NotificationKind;
	readonly programName: string;
	readonly message: string;
}

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
	/** Undefined for emails that the reader requested. */
	readonly unsubscribeUrl: string | undefined;
}

/** Links begin with `publicUrl`, so that no caller decides where they lead. */
export function textOf(email: Email, publicUrl: string): EmailText {
	const [subject, ...paragraphs] = wordsOf(email, publicUrl);
	const unsubscribeUrl = 'unsubscribeToken' in email ? `${publicUrl}/unsubscribe/${email.unsubscribeToken}` : undefined;
	const footer = unsubscribeUrl === undefined ? publicUrl : `${publicUrl}\nUnsubscribe from these emails: ${unsubscribeUrl}`;
	return { subject: oneLine(subject, SUBJECT_LENGTH), text: `${paragraphs.join('\n\n')}\n\n-- \n${footer}\n`, unsubscribeUrl };
}

function wordsOf(email: Email, publicUrl: string): [subject: string, ...paragraphs: string[]] {
	if (isOfAccount(email)) return wordsOfAccount(email, publicUrl);
	switch (email.kind) {
		case 'password_reset':
			return [
				'Reset your password',
				`Hello ${saidName(email.name)},`,
				'Someone asked to reset your password. If it was you, set a new one with this link. It works once and expires in one hour:',
				linkTo(publicUrl, 'reset-password', email.token),
				'If it was not you, ignore this email. Your password stays the same.',
			];
		case 'member_invitation': {
			const [workspace, inviter] = [saidName(email.workspaceName), saidName(email.invitedBy)];
			return [
				`Invitation to ${workspace}`,
				`${inviter} invites you to the workspace "${workspace}" as ${ROLE_WORDS[email.role]}. Use this link to join. It works once and expires in seven days:`,
				linkTo(publicUrl, 'invitation', email.token),
				UNEXPECTED,
			];
		}
		case 'payout_details_changed':
			return ofChangedDetails(email.name, email.workspaceName, email.summary);
		case 'partner_detached':
			return ofDetached(email.name, email.workspaceName);
		case 'partner_invitation': {
			const program = saidName(email.programName);
			return [
				`Invitation to become a partner of ${program}`,
				`"${program}" invites you to become a partner. You recommend it with your own links and earn a commission on the sales that they bring. Use this link to join. It works once and expires in seven days:`,
				linkTo(publicUrl, 'invitation', email.token),
				UNEXPECTED,
			];
		}
		case 'application_received': {
			const program = saidName(email.programName);
			return [
				`Your application to ${program}`,
				`We have received your application to become a partner of "${program}". You will get an email when it is decided.`,
				'If you did not apply, ignore this email.',
			];
		}
		case 'application_approved':
			return ofApproved(email.programName, email.token, publicUrl);
		case 'application_declined':
			return ofDeclined(email.programName, email.reason);
		case 'alert':
			return [email.subject, email.message];
		case 'payout_details_asked':
			return ofAskedDetails(email.name, email.programName, publicUrl);
		case 'notifications':
			return newsOf(email);
		case 'earnings':
			return earningsOf(email);
	}
}

function newsOf({ name, notifications, count }: News): [subject: string, ...paragraphs: string[]] {
	const messages = notifications.map(({ message, programName }) => {
		const text = programName === '' ? message : message.replaceAll(programName, saidName(programName));
		return `- ${oneLine(text, MESSAGE_LENGTH)}`;
	});
	const more = count > notifications.length ? [`And ${count - notifications.length} more. Sign in to see them all.`] : [];
	return [subjectOf(notifications, count), `Hello ${saidName(name)},`, messages.join('\n'), ...more];
}

/** `Payout: Tea`, if all have the same kind and program. */
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
	commission_reinstated: 'Commission reinstated',
	commission_rejected: 'Commission rejected',
	payout_made: 'Payout made',
	payout_sent: 'Payout sent',
	payout_failed: 'Payout failed',
	payout_details_changed: 'Payout details changed',
	payout_file_made: 'Payout file downloaded',
	application_received: 'New application',
	webhook_disabled: 'Webhook disabled',
	postback_disabled: 'Postback disabled',
	membership_suspended: 'Membership suspended',
	membership_resumed: 'Membership resumed',
	membership_ended: 'Membership ended',
	manual_review: 'Please review a commission',
	processor_silent: 'Payment processor is silent',
	reversal_refused: 'Refund not applied',
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
		`Since the last email like this, you earned:\n\n${lines.join('\n')}`,
		'A refund can still reverse a commission that is on hold.',
	];
}

function ofChangedDetails(name: string, workspaceName: string, summary: string | null): [subject: string, ...paragraphs: string[]] {
	const workspace = saidName(workspaceName);
	return [
		`Your payout details at ${workspace} were changed`,
		`Hello ${saidName(name)},`,
		summary === null
			? `The details that "${workspace}" uses to pay you were removed.`
			: `The details that "${workspace}" uses to pay you were changed. They are now: ${summary}.`,
		'If it was not you, someone else may be signed in as you. Change your password and contact them at once.',
	];
}

function ofAskedDetails(name: string, programName: string, publicUrl: string): [subject: string, ...paragraphs: string[]] {
	const program = saidName(programName);
	return [
		`${program} needs your payout details`,
		`Hello ${saidName(name)},`,
		`"${program}" cannot pay you yet, because you have not entered payout details. Sign in and choose how you want to be paid:`,
		`${publicUrl}/portal/account/payout-details`,
		'Your earnings stay in your balance until then.',
	];
}

function ofApproved(programName: string, token: string | undefined, publicUrl: string): [subject: string, ...paragraphs: string[]] {
	const program = saidName(programName);
	const approved = `Your application to become a partner of "${program}" was approved.`;
	if (token === undefined) return [`You are a partner of ${program}`, `${approved} Sign in as usual.`];
	return [
		`You are a partner of ${program}`,
		`${approved} Use this link to join. It works once and expires in seven days:`,
		linkTo(publicUrl, 'invitation', token),
	];
}

function ofDeclined(programName: string, reason: string | null): [subject: string, ...paragraphs: string[]] {
	const program = saidName(programName);
	const because = reason === null ? [] : [`Reason: ${saidName(reason, REASON_LENGTH)}`];
	return [`Your application to ${program}`, `Your application to become a partner of "${program}" was declined.`, ...because];
}

function ofDetached(name: string, workspaceName: string): [subject: string, ...paragraphs: string[]] {
	const workspace = saidName(workspaceName);
	return [
		`You are no longer signed in as a partner of ${workspace}`,
		`Hello ${saidName(name)},`,
		`An owner of "${workspace}" has removed your access to their partner account. You can no longer see or change anything there, and your payout details were removed. The earnings stay with the partner account.`,
		'If you did not expect this, contact them.',
	];
}

const UNEXPECTED = 'If you did not expect this, ignore this email. Nobody can join in your name without the link.';

const ROLE_WORDS = { owner: 'an owner', admin: 'an admin', member: 'a member' } as const satisfies Record<Role, string>;

/** A fragment reaches neither logs nor other sites. */
function linkTo(publicUrl: string, page: 'reset-password' | 'invitation', token: string): string {
	return `${publicUrl}/${page}#token=${token}`;
}

const SUBJECT_LENGTH = 150;
const REASON_LENGTH = 500;
const MESSAGE_LENGTH = 1_000;
