/** Longer values are dropped, because a cut id would be another id. */
export const SUB_ID_CHARACTERS = 200;

/** Control characters, and what stands for invalid bytes. */
const NO_TEXT = /[\p{Cc}\p{Cs}\ufffd]/u;

/**
 * A partner's own value in its link (`?aff=pat&sub_id=...`), mostly a network's click id that must come back unchanged. Null if it is
 * invalid.
 */
export function subIdOf(sent: unknown): string | null {
	if (typeof sent !== 'string' || sent.length > SUB_ID_CHARACTERS || sent.trim() === '' || NO_TEXT.test(sent)) return null;
	return sent;
}
