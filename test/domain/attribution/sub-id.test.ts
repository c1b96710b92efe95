import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SUB_ID_CHARACTERS, subIdOf } from '../../../src/domain/attribution/sub-id.ts';
import { anyText } from '../../support/any-text.ts';

describe("a partner's sub_id", () => {
	test.each(['n-4711', ' kept as it is ', '0', 'ключ/1?&=%', '😀', 'x'.repeat(SUB_ID_CHARACTERS)])('%j stays unchanged', (text) =>
		expect(subIdOf(text)).toBe(text),
	);

	test.each([undefined, null, 7, {}, ['x'], '', ' \t', 'a\nb', 'a\u0000', '\ud800', 'half \ufffd', 'x'.repeat(SUB_ID_CHARACTERS + 1)])(
		'%j is ignored',
		(sent) => expect(subIdOf(sent)).toBeNull(),
	);

	test('is never changed, and never long', () => {
		fc.assert(
			fc.property(fc.anything({ maxDepth: 1 }), anyText({ maxLength: 400 }), (anything, text) => {
				for (const sent of [anything, text]) {
					const kept = subIdOf(sent);
					expect(kept === null || (kept === sent && kept.length <= SUB_ID_CHARACTERS && kept.isWellFormed())).toBe(true);
				}
			}),
		);
	});
});
