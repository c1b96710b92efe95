// Names in emails may come from anybody.

const NAME_LENGTH = 60;

/** Email programs turn text with these characters into links. */
const OF_LINKS = /[.:/@\\\u2024\u2044\u2215\u3002\uFE52\uFE55\uFE6B\uFE68\uFF0E\uFF0F\uFF1A\uFF20\uFF3C\uFF61]+(?=\S)/g;

/** A name shown to strangers, without anything that becomes a link. */
export function saidName(name: string, length = NAME_LENGTH): string {
	return oneLine(withoutDirections(name).replace(OF_LINKS, ' '), length);
}

export function oneLine(text: string, length: number): string {
	const characters = Array.from(
		withoutDirections(text)
			.replace(/[\p{Cc}\s]+/gu, ' ')
			.trim(),
	);
	return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}

/** Removes characters that change the reading direction, because they could garble the email. */
function withoutDirections(text: string): string {
	return text.replace(/\p{Bidi_Control}+/gu, '');
}
