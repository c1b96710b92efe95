export const CLICK_TEXT_BYTES = 512;

const utf8 = new TextEncoder();

/** Truncates well-formed Unicode to this many UTF-8 bytes, between characters. */
export function cutText(text: string, limitBytes: number): string {
	const near = text.slice(0, limitBytes);
	if (near.length * 3 <= limitBytes) return near.toWellFormed();
	const { read } = utf8.encodeInto(near, new Uint8Array(limitBytes));
	return near.slice(0, read).toWellFormed();
}
