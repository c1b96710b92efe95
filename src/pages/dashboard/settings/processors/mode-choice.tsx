import { Choice } from '../../../ui/fields.tsx';

export type Mode = 'live' | 'test';

const MODES = [
	{ value: 'live', label: 'Live payments' },
	{ value: 'test', label: 'Payments in test mode' },
] as const satisfies readonly { value: Mode; label: string }[];

/** For processors whose events do not state their mode. */
export function ModeChoice({ value, onChange }: { value: Mode; onChange: (mode: Mode) => void }) {
	return (
		<Choice
			label="Used for"
			options={MODES}
			value={value}
			onChange={onChange}
			description="Events do not state their mode, so their secret decides whether they are live or test events."
		/>
	);
}
