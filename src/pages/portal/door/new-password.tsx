import { Field } from '../../ui/field.tsx';

export function NewPassword({ name, label }: { name: string; label: string }) {
	return (
		<Field
			name={name}
			label={label}
			type="password"
			autoComplete="new-password"
			minLength={10}
			maxLength={200}
			description="At least 10 characters: a few words that nobody else would put together."
			isRequired
		/>
	);
}
