import { Field } from '../ui/field.tsx';

interface PasswordFieldProps {
	readonly name?: string;
	readonly label?: string;
	readonly description?: string;
	readonly autoFocus?: boolean;
}

/** For actions that a stolen session must not be able to take. */
export function PasswordField({ name = 'password', label = 'Your password', description, autoFocus = false }: PasswordFieldProps) {
	return (
		<Field
			name={name}
			label={label}
			description={description}
			type="password"
			autoComplete="current-password"
			autoFocus={autoFocus}
			isRequired
		/>
	);
}

export function NewPasswordField({ name, label, more = '' }: { name: string; label: string; more?: string }) {
	return (
		<Field
			name={name}
			label={label}
			type="password"
			autoComplete="new-password"
			minLength={10}
			maxLength={200}
			description={`At least 10 characters. Use a few words that nobody else would combine.${more}`}
			isRequired
		/>
	);
}
