import { SignInForm } from '../../account/sign-in-form.tsx';

export function SignIn() {
	return <SignInForm />;
}
