// The reasons why a field is refused. The documentation collapses these errors.

const UNKNOWN_FIELD = 'The body has a field that the route does not accept.';
const COMBINATION = 'The combination of fields is invalid.';

/** `field` is undefined if the message is not about a single known field. */
export function fieldReasonOf(message: string, field: string | undefined): string {
	if (message.startsWith('Unknown field: ')) return UNKNOWN_FIELD;
	if (field === undefined) return COMBINATION;
	return `\`${field}\` is ${message.includes(' is required') ? 'missing or invalid' : 'invalid'}.`;
}

export function isFieldReason(reason: string): boolean {
	return reason === UNKNOWN_FIELD || reason === COMBINATION || /^`[^`]+` is (missing or )?invalid\.$/.test(reason);
}
