import { expect, test } from 'vitest';
import { alertBody, type AlertKind, ALERT_TITLES, planAlerts, shareOf, subjectOf, wordsOf } from '../../src/domain/alert.ts';

const facts = {
	count: 2,
	since: 0,
	bytes: 8.04e9,
	limitBytes: 10e9,
	programId: 7,
	programName: 'Tea & <Co>',
	processor: 'Stripe',
};
const message = (kind: AlertKind, phase: 'begun' | 'over' = 'begun') => ({ id: 3, kind, phase, facts, beganAt: 0, endedAt: null });

const trouble = (key: string) => ({ kind: 'dead_letters' as const, key, facts: {} });

test('what is seen and not known begins; what is known and not seen is over, where it was looked at', () => {
	const plan = planAlerts([trouble('a'), trouble('b'), trouble('c')], [trouble('b'), trouble('d')], ({ key }) => key !== 'c');
	expect([plan.begun.map(({ key }) => key), plan.over.map(({ key }) => key)]).toEqual([['d'], ['a']]);
	const all = planAlerts([trouble('a')], []);
	expect(all.over.map(({ key }) => key)).toEqual(['a']);
});

test.each(Object.keys(ALERT_TITLES).filter((kind): kind is AlertKind => kind in ALERT_TITLES))('%s is told in words', (kind) => {
	expect([
		subjectOf(message(kind)),
		wordsOf(message(kind)),
		subjectOf(message(kind, 'over')),
		wordsOf(message(kind, 'over')),
	]).toMatchSnapshot();
});

test('a service without an address of its own, and a clock that never ran', () => {
	expect(wordsOf({ kind: 'cron_silent', phase: 'begun', facts: { since: null } })).toContain('has never run');
	expect(alertBody(message('cron_silent'), undefined).text).not.toContain('/dashboard');
	expect(alertBody(message('cron_silent'), 'https://track.example').text).toContain('\nhttps://track.example/dashboard');
});

test('Slack gets no mention or link out of a name, Discord is told to make none, and takes no more than it can', () => {
	const { text, content, allowed_mentions: mentions } = alertBody(message('processor_silent'), undefined);
	expect(text).toContain('Tea &amp; &lt;Co&gt;');
	expect(content).toContain('Tea & <Co>');
	expect(mentions).toEqual({ parse: [] });
	const long = { ...message('processor_silent'), facts: { ...facts, programName: 'x'.repeat(5_000) } };
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
