/** The most that it may have: longer ones are dropped, as what is left of an id would be another's. */
export const SUB_ID_CHARACTERS = 200;

/** A character that is no text: a control, or what stands for bytes that were none. */
const NO_TEXT = /[\p{Cc}\p{Cs}\ufffd]/u;

/**
 * What a partner put into its link for itself (`?aff=pat&sub_id=...`): most often a network's own id of the click, which must come
 * back as it was. Null for what can be none.
 */
export function subIdOf(sent: unknown): string | null {
	if (typeof sent !== 'string' || sent.length > SUB_ID_CHARACTERS || sent.trim() === '' || NO_TEXT.test(sent)) return null;
	return sent;
}
