/** An e-mail address as its owner knows it again, and nobody else learns it: `g…@people.example`. */
export function maskedEmail(email: string): string {
	return email.replace(/^(?:(.)..+|.*)(?=@)/u, '$1…');
}
