import { expect, test } from 'vitest';
import {
	alertBody,
	type AlertKind,
	type AlertMessage,
	type AlertPhase,
	planAlerts,
	shareOf,
	subjectOf,
	testAlertBody,
	testedText,
	type Trouble,
	troubleText,
	wordsOf,
} from '../../../src/domain/monitoring/alert.ts';

const since = Date.UTC(2026, 10, 23, 14, 5, 59, 999);
const silence = { since, programId: 7, programName: 'Tea & <Co>', processor: 'Stripe' };
const TROUBLES: { readonly [Kind in AlertKind]: Extract<Trouble, { kind: Kind }> } = {
	dead_letters: { kind: 'dead_letters', facts: { count: 2, since } },
	outbox_stuck: { kind: 'outbox_stuck', facts: { since } },
	processor_events_late: { kind: 'processor_events_late', facts: { since } },
	postbacks_late: { kind: 'postbacks_late', facts: { since } },
	cron_silent: { kind: 'cron_silent', facts: { since } },
	database_full: { kind: 'database_full', facts: { bytes: 8.04e9, limitBytes: 10e9 } },
	processor_silent: { kind: 'processor_silent', facts: silence },
};
const message = (trouble: Trouble, phase: AlertPhase = 'begun'): AlertMessage => ({
	...trouble,
	id: 3,
	phase,
	beganAt: since,
	endedAt: null,
});

const trouble = (key: string) => ({ key });

test('a trouble that is found and unknown begins; one that is known and no longer found is over, if it was checked', () => {
	const plan = planAlerts([trouble('a'), trouble('b'), trouble('c')], [trouble('b'), trouble('d')], ({ key }) => key !== 'c');
	expect([plan.begun.map(({ key }) => key), plan.over.map(({ key }) => key)]).toEqual([['d'], ['a']]);
	const all = planAlerts([trouble('a')], []);
	expect(all.over.map(({ key }) => key)).toEqual(['a']);
});

test.each(Object.entries(TROUBLES))('%s has a text', (_kind, found) => {
	expect([
		subjectOf(message(found)),
		wordsOf(message(found)),
		subjectOf(message(found, 'over')),
		wordsOf(message(found, 'over')),
	]).toMatchSnapshot();
});

test('a service without a public address, and a cron job that never ran', () => {
	expect(troubleText({ kind: 'cron_silent', facts: { since: null } })).toContain('has never run');
	expect(alertBody(message(TROUBLES.cron_silent), undefined).text).not.toContain('/dashboard');
	expect(alertBody(message(TROUBLES.cron_silent), 'https://track.example').text).toContain('\nhttps://track.example/dashboard');
});

test("a message to Slack or Discord has no mention or link from a name, and keeps Discord's limit", () => {
	const { text, content, allowed_mentions: mentions } = alertBody(message(TROUBLES.processor_silent), undefined);
	expect(text).toContain('Tea &amp; &lt;Co&gt;');
	expect(content).toContain('Tea & <Co>');
	expect(mentions).toEqual({ parse: [] });
	const long = message({ kind: 'processor_silent', facts: { ...silence, programName: 'x'.repeat(5_000) } });
	expect(alertBody(long, undefined).content).toHaveLength(2_000);
});

test.each([
	[0, 0],
	[7_999_999_999, 79],
	[8_000_000_000, 80],
	[12_000_000_000, 120],
])('%d bytes of 10 GB are %d %%', (bytes, percent) => {
	expect(shareOf({ bytes, limitBytes: 10e9 })).toBe(percent);
});

test('a test alert says so, and has the form of an alert', () => {
	const body = testAlertBody('https://track.example', since);
	expect(Object.keys(body)).toEqual(Object.keys(alertBody(message(TROUBLES.cron_silent), undefined)));
	expect(body).toMatchObject({
		alert: 'test',
		id: `alert_test_${since}`,
		program_id: null,
		content: expect.stringMatching(/^Test alert\nThis is a test\. /),
	});
});

test.each([
	[{ webhook: null, mail: null }, false, /^Alerts have no recipient\. Set the secret ALERT_WEBHOOK_URL or turn on email$/],
	[{ webhook: { isTaken: false, status: 404 }, mail: null }, false, /^The webhook answered 404. Check the address in ALERT_WEBHOOK_URL$/],
	[{ webhook: { isTaken: false, status: null }, mail: { isTaken: true, to: 'a@b.example' } }, false, /did not answer within five seconds/],
	[{ webhook: null, mail: { isTaken: false, to: 'a@b.example' } }, false, /^The email to a@b\.example was not accepted/],
	[{ webhook: { isTaken: true, status: 200 }, mail: { isTaken: true, to: 'a@b.example' } }, true, /to the webhook and to a@b\.example$/],
	[{ webhook: { isTaken: true, status: 204 }, mail: null }, true, /^The test alert was sent to the webhook$/],
])('the result of a test: %j', (tested, isOk, text) => {
	expect(testedText(tested)).toEqual({ isOk, message: expect.stringMatching(text) });
});
