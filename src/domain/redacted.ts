/** Fault messages go into logs, where no personal data or secrets belong. */
const HIDDEN: readonly RegExp[] = [
	// JSON.parse repeats the text that it could not parse.
	/(?<=Unexpected [^"]*)"[^]*"(?=(?:\.{3})? is not valid JSON)/g,
	/[^\s"'<>()@]+@[^\s"'<>()@]+/g,
	// Program keys, tokens of sessions, invitations and emails, and secrets of processors.
	/\b(?:prg|ses|inv|rst|whsec|pdl_ntfset|[sr]k_(?:live|test))_[\w+/=-]+/g,
	/\bcust_\d+_\d+/g,
];

/** The text without email addresses, keys, tokens, click ids and fragments of bodies. */
export function redacted(text: string): string {
	return HIDDEN.reduce((left, pattern) => left.replace(pattern, '…'), text);
}
