import { Choice } from '../../../ui/fields.tsx';

export type Mode = 'live' | 'test';

const MODES = [
	{ value: 'live', label: 'Live payments' },
	{ value: 'test', label: 'Payments in test mode' },
] as const satisfies readonly { value: Mode; label: string }[];

/** Picks live or test mode for a signing secret, if the processor's events do not state their mode. */
export function ModeChoice({ value, onChange }: { value: Mode; onChange: (mode: Mode) => void }) {
	return (
		<Choice
			label="What it signs"
			options={MODES}
			value={value}
			onChange={onChange}
			description="Events do not say themselves whether they are of test mode: their secret does."
		/>
	);
}
