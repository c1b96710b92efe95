/** An e-mail address as its owner knows it again, and nobody else learns it: `g…@people.example`. */
export function maskedEmail(email: string): string {
	const at = email.lastIndexOf('@');
	const [first] = email.slice(0, at);
	return `${at > 2 ? (first ?? '') : ''}…${email.slice(at)}`;
}
