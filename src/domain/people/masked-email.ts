/** An address that only its owner recognises: `g…@people.example`. */
export function maskedEmail(email: string): string {
	return email.replace(/^(?:(.)..+|.*)(?=@)/u, '$1…');
}
