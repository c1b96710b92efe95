/** Removed from fault messages, because logs must not contain personal data or secrets. */
const HIDDEN: readonly RegExp[] = [
	// JSON.parse quotes the text that it could not parse.
	/(?<=Unexpected [^"]*)"[^]*"(?=(?:\.{3})? is not valid JSON)/g,
	/[^\s"'<>()@]+@[^\s"'<>()@]+/g,
	// Program keys, secrets of processors, and tokens for sessions, invitations and emails.
	/\b(?:prg|ses|inv|rst|whsec|pdl_ntfset|[sr]k_(?:live|test))_[\w+/=-]+/g,
	/\bcust_\d+_\d+/g,
];

export function redacted(text: string): string {
	return HIDDEN.reduce((left, pattern) => left.replace(pattern, '…'), text);
}
