/** Longer values are dropped, because a truncated id would be a different id. */
export const SUB_ID_CHARACTERS = 200;

/** Control characters, and replacements of invalid bytes. */
const NO_TEXT = /[\p{Cc}\p{Cs}\ufffd]/u;

/** The partner's own value in a link, usually a network's click id that must be returned unchanged. Null if it is invalid. */
export function subIdOf(sent: unknown): string | null {
	if (typeof sent !== 'string' || sent.length > SUB_ID_CHARACTERS || sent.trim() === '' || NO_TEXT.test(sent)) return null;
	return sent;
}
