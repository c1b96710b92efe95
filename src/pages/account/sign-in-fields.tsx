import { rawTextOf, textOf } from '../ui/action-form.tsx';
import { Field } from '../ui/field.tsx';

export function SignInFields() {
	return (
		<>
			<Field label="Email address" name="email" type="email" autoComplete="username" isRequired autoFocus />
			<Field label="Password" name="password" type="password" autoComplete="current-password" isRequired />
		</>
	);
}

export function credentialsOf(fields: FormData): Credentials {
	return { email: textOf(fields, 'email') ?? '', password: rawTextOf(fields, 'password') };
}

export interface Credentials {
	readonly email: string;
	readonly password: string;
}
