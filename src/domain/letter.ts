/** Everything that is told by e-mail: what is said. The words are the mailer's. */
export interface Letter {
	readonly kind: 'password_reset';
	readonly to: string;
	readonly name: string;
	/** What sets a new password, once, within the hour. */
	readonly token: string;
}
