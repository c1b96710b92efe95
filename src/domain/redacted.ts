/** What is told of a fault goes into logs, where nothing personal and no secret belongs. */
const HIDDEN: readonly RegExp[] = [
	// JSON.parse repeats what it could not read.
	/(?<=Unexpected [^"]*)"[^]*"(?=(?:\.{3})? is not valid JSON)/g,
	// E-mail addresses.
	/[^\s"'<>()@]+@[^\s"'<>()@]+/g,
	// Program keys, tokens of sessions, invitations and letters, and the secrets and keys of payment processors.
	/\b(?:prg|ses|inv|rst|whsec|pdl_ntfset|[sr]k_(?:live|test))_[\w+/=-]+/g,
	// Click ids.
	/\bcust_\d+_\d+/g,
];

/** The text without e-mail addresses, keys, tokens, click ids and pieces of bodies. */
export function redacted(text: string): string {
	return HIDDEN.reduce((left, pattern) => left.replace(pattern, '…'), text);
}
