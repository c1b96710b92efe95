/** The most bytes that a click's text may have. */
export const CLICK_TEXT_BYTES = 512;

const utf8 = new TextEncoder();

/** The text as well-formed Unicode of at most this many UTF-8 bytes, cut between characters. */
export function cutText(text: string, limitBytes: number): string {
	// A character has at least one byte, so the rest need not be read.
	const near = text.slice(0, limitBytes);
	if (near.length * 3 <= limitBytes) return near.toWellFormed();
	const { read } = utf8.encodeInto(near, new Uint8Array(limitBytes));
	return near.slice(0, read).toWellFormed();
}
