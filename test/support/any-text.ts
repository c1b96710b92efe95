import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST_CODE_POINT = 0x10ffff;

const character = fc.nat(LAST_CODE_POINT - SURROGATES).map(
	(index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
	(text) => {
		const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
		if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('This is not one character.');
		return point < FIRST_SURROGATE ? point : point - SURROGATES;
	},
);

/** Well-formed. `unit: 'binary'` means the same, but takes each process four seconds to list all code points. */
export const anyText = (lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
	fc.string({ unit: character, ...lengths });
