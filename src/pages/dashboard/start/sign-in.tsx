import { Link } from '@tanstack/react-router';
import { SignInForm } from '../../account/sign-in-form.tsx';

export function SignIn() {
	return (
		<SignInForm>
			<Link to="/sign-up">Create an account</Link>
		</SignInForm>
	);
}
