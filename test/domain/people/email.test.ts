import { describe, expect, test } from 'vitest';
import { type Email, textOf, type EmailedNotification } from '../../../src/domain/people/email.ts';

const HERE = 'https://track.example';
const to = 'grace@people.example';
const token = 'inv_1';
const AT = Date.UTC(2026, 4, 3, 10, 12);
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

const own = { to, name: 'Grace', unsubscribeToken: '7-abc' };
const payout: EmailedNotification = { kind: 'payout_made', programName: 'Tea', message: 'You were paid 12.00 USD for Tea.' };

const EMAILS: readonly Email[] = [
	{ kind: 'password_reset', to, name: 'Grace', token: 'rst_1' },
	{ kind: 'password_changed', to, name: 'Grace', at: AT },
	{ kind: 'new_device', to, name: 'Grace', at: AT, userAgent: CHROME, network: '203.0.113.7' },
	{ kind: 'new_device', to, name: 'Grace', at: AT, userAgent: 'visit evil.example/now', network: 'evil.example' },
	{ kind: 'new_device', to, name: 'Grace', at: AT, userAgent: null, network: null },
	{ kind: 'account_deleted', to, name: 'Grace', at: AT, givenUp: [] },
	{
		kind: 'account_deleted',
		to,
		name: 'Grace',
		at: AT,
		givenUp: [
			{ programName: 'Tea', currency: 'USD', amountCents: 17_588 },
			{ programName: 'mugs.example', currency: 'JPY', amountCents: 500 },
		],
	},
	{ kind: 'member_invitation', to, workspaceName: 'Tea', invitedBy: 'Ada', role: 'admin', token },
	{ kind: 'partner_invitation', to, programName: 'Tea', token },
	{ kind: 'payout_details_changed', to, name: 'Grace', workspaceName: 'Tea', summary: 'PayPal g…@people.example' },
	{ kind: 'payout_details_changed', to, name: 'Grace', workspaceName: 'Tea', summary: null },
	{ kind: 'partner_detached', to, name: 'Grace', workspaceName: 'Tea' },
	{ kind: 'payout_details_asked', ...own, programName: 'Tea' },
	{ kind: 'application_received', to, programName: 'Tea' },
	{ kind: 'application_approved', to, programName: 'Tea', token },
	{ kind: 'application_approved', to, programName: 'Tea', token: undefined },
	{ kind: 'application_declined', to, programName: 'Tea', reason: 'No blog' },
	{ kind: 'application_declined', to, programName: 'Tea', reason: null },
	{ kind: 'notifications', ...own, notifications: [payout], count: 1 },
	{ kind: 'notifications', ...own, notifications: [payout, { ...payout, programName: 'Mugs' }], count: 5 },
	{
		kind: 'notifications',
		...own,
		notifications: [payout, { ...payout, kind: 'commission_rejected', message: 'Line\n\nbreaks' }],
		count: 2,
	},
	{ kind: 'earnings', ...own, earned: [{ programName: 'Tea', currency: 'USD', count: 1, amountCents: 1_234 }] },
	{
		kind: 'earnings',
		...own,
		earned: [
			{ programName: 'Tea', currency: 'USD', count: 1_000, amountCents: 123_456_789 },
			{ programName: 'Tea', currency: 'JPY', count: 2, amountCents: 500 },
		],
	},
];

test.each(EMAILS)('$kind', (email) => {
	expect(textOf(email, HERE)).toMatchSnapshot();
});

function invitation(workspaceName: string) {
	return textOf({ kind: 'member_invitation', to, workspaceName, invitedBy: 'Ada', role: 'member', token }, HERE);
}

describe('a name that a person chose', () => {
	test('adds no line and no header to an email', () => {
		const { subject, text } = invitation('Tea\r\nBcc: all@people.example\u2028\u0000x');
		expect(subject).toBe('Invitation to Tea Bcc: all people example x');
		expect(text.split('\n')[0]).toContain('"Tea Bcc: all people example x"');
	});

	test.each([
		'win\u3002example',
		'win\uFF0Eexample',
		'win\uFF61example',
		'win\u2024example',
		'me\uFF20win\uFE52example',
		'https\uFF1A\uFF0F\uFF0Fwin',
	])('does not become a link through characters that look like a dot: %j', (name) => {
		const { subject, text } = invitation(name);
		expect(`${subject}\n${text.split('\n')[0]}`).not.toMatch(/[\u3002\uFF0E\uFF61\u2024\uFF20\uFE52\uFF1A\uFF0F]/);
	});

	test('cannot reverse the text direction: those characters are removed everywhere', () => {
		const name = 'Tea\u202Emoc.live\u2066\u200F';
		const emails: Email[] = [
			{ kind: 'member_invitation', to, workspaceName: name, invitedBy: name, role: 'member', token },
			{ kind: 'application_declined', to, programName: name, reason: name },
			{ kind: 'notifications', ...own, name, notifications: [{ ...payout, programName: name, message: `Paid for ${name}.` }], count: 1 },
			{ kind: 'earnings', ...own, name, earned: [{ programName: name, currency: 'USD', count: 1, amountCents: 1 }] },
		];
		for (const email of emails) {
			const { subject, text } = textOf(email, HERE);
			expect(`${subject}\n${text}`).not.toMatch(/\p{Bidi_Control}|moc\.live/u);
			expect(text).toContain('Teamoc live');
		}
	});

	test.each(['https://win.example/now', 'win.example', 'www.win.example', '//win.example', 'me@win.example'])(
		'does not become a link: %s',
		(name) => {
			const { subject, text } = invitation(name);
			expect(`${subject}\n${text.split('\n')[0]}`).not.toMatch(/:\/\/|\.example|@/);
		},
	);

	test('is cut between characters', () => {
		expect(invitation('😀'.repeat(100)).subject).toBe(`Invitation to ${'😀'.repeat(59)}…`);
	});

	test('stays unchanged if it is harmless', () => {
		expect(invitation('Müller & Söhne Inc.').subject).toBe('Invitation to Müller & Söhne Inc.');
	});
});
