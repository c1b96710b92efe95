import { Field } from '../ui/field.tsx';

/** Once more, for what a stolen session must not do. */
export function PasswordField({ name = 'password', label = 'Your password' }: { name?: string; label?: string }) {
	return <Field name={name} label={label} type="password" autoComplete="current-password" isRequired autoFocus />;
}
