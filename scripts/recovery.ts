// The SQL for `npm run recover`, which creates a password reset token for somebody who cannot receive email.

const HOUR_MS = 3_600_000;

/**
 * Creates the token if an active user has the address, and records this in the audit log of each of their workspaces. The last statement
 * selects the user's name.
 */
export function recoveryStatements(email: string, tokenHash: string, now: number): string[] {
	const person = `users.email = ${quoted(email)} AND users.deactivated_at IS NULL`;
	return [
		`DELETE FROM password_resets WHERE expires_at <= ${now}`,
		`INSERT INTO password_resets (token_hash, user_id, created_at, expires_at)
			SELECT ${quoted(tokenHash)}, users.id, ${now}, ${now + HOUR_MS} FROM users WHERE ${person}`,
		`INSERT INTO audit_entries (at, workspace_id, user_id, action, subject_id, detail)
			SELECT ${now}, members.workspace_id, NULL, 'password_reset.issue', users.id, '{"from":"command line"}'
			FROM users LEFT JOIN members ON members.user_id = users.id AND members.deactivated_at IS NULL WHERE ${person}`,
		`SELECT users.name AS name FROM users WHERE ${person}`,
	];
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", "''")}'`;
}
