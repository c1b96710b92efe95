const HUES = 6;

/** Decoration next to a name: screen readers and copied text skip it. */
export function Avatar({ name, size = '', isSquare = false }: { name: string; size?: 'mini' | '' | 'large'; isSquare?: boolean }) {
	return (
		<span
			className={`avatar hue-${hueOf(name)} ${size} ${isSquare ? 'square' : ''}`}
			aria-hidden="true"
			data-letters={initialsOf(name, size === 'mini' || isSquare ? 1 : 2)}
		/>
	);
}

/** Always the same for a name. */
function hueOf(name: string): number {
	let sum = 7;
	for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
	return sum % HUES;
}

function initialsOf(name: string, most: number): string {
	const words = name.split(/\s+/).flatMap((word) => /\p{L}|\p{N}/u.exec(word)?.[0] ?? []);
	return (words.length > 0 ? words : [name.slice(0, 1)]).slice(0, most).join('').toUpperCase();
}
