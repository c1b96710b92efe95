import type { Tone } from '../../../ui/small.tsx';

export const EVENT_STATES = {
	received: { label: 'Received', tone: 'accent', about: 'It has not been processed yet.' },
	waiting: { label: 'Waiting', tone: 'warn', about: 'It is waiting for an earlier event that has not arrived yet.' },
	applied: { label: 'Applied', tone: 'good', about: 'It was recorded.' },
	ignored: { label: 'Ignored', tone: undefined, about: 'It contains nothing to record.' },
	refused: { label: 'Refused', tone: 'bad', about: 'It could not be recorded.' },
	expired: { label: 'Expired', tone: 'bad', about: 'The event that it waited for never arrived.' },
	failed: { label: 'Failed', tone: 'bad', about: 'Every attempt to record it failed.' },
} as const satisfies Record<string, { label: string; tone: Tone | undefined; about: string }>;

export type EventState = keyof typeof EVENT_STATES;

export function isEventState(text: unknown): text is EventState {
	return typeof text === 'string' && text in EVENT_STATES;
}
