/** The most that a text of a click takes in its row. */
export const CLICK_TEXT_BYTES = 512;

const utf8 = new TextEncoder();

/** The text as well-formed Unicode of at most so many bytes of UTF-8, cut between two characters. */
export function cutText(text: string, limitBytes: number): string {
	// A character is at least a byte: what lies behind that many is not even looked at.
	const near = text.slice(0, limitBytes);
	if (near.length * 3 <= limitBytes) return near.toWellFormed();
	const { read } = utf8.encodeInto(near, new Uint8Array(limitBytes));
	return near.slice(0, read).toWellFormed();
}
