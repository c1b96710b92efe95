import type { Tone } from '../../../ui/small.tsx';

export const EVENT_STATES = {
	received: { label: 'Received', tone: 'accent', about: 'It has not been looked at yet.' },
	waiting: { label: 'Waiting', tone: 'warn', about: 'It waits for an earlier event, which has not come yet.' },
	applied: { label: 'Applied', tone: 'good', about: 'It was recorded.' },
	ignored: { label: 'Ignored', tone: undefined, about: 'It says nothing that counts here.' },
	refused: { label: 'Refused', tone: 'bad', about: 'It could not be recorded.' },
	expired: { label: 'Expired', tone: 'bad', about: 'What it waited for never arrived.' },
	failed: { label: 'Given up', tone: 'bad', about: 'Every try to record it failed.' },
} as const satisfies Record<string, { label: string; tone: Tone | undefined; about: string }>;

export type EventState = keyof typeof EVENT_STATES;

export function isEventState(text: unknown): text is EventState {
	return typeof text === 'string' && text in EVENT_STATES;
}
