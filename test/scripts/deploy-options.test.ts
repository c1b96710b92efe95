import { expect, test } from 'vitest';
import { readOptions } from '../../scripts/deploy/options.ts';

// npm itself takes options before the two dashes, and passes them on as npm_config_*.

test('options work without the two dashes too', () => {
	expect(readOptions([], { npm_config_yes: 'true', npm_config_dry_run: 'true' })).toMatchObject({ asksNothing: true, isDry: true });
	expect(readOptions([], { npm_config_take_domain: 'true', npm_config_built: 'true' })).toMatchObject({ takesDomain: true, isBuilt: true });
	expect(readOptions([], { npm_config_name: 'shop', npm_config_mail_from: 'mail@shop.example' }).given).toEqual({
		name: 'shop',
		'mail-from': 'mail@shop.example',
	});
});

test('an option after the two dashes wins, and --no-yes means no', () => {
	expect(readOptions(['--name', 'mine'], { npm_config_name: 'shop', npm_config_yes: '' })).toMatchObject({
		given: { name: 'mine' },
		asksNothing: false,
	});
});

test.each([
	['a value after a space, which npm separates from its option', { npm_config_sign_up: 'true' }, 'npm run deploy -- --sign-up'],
	["the name of one of npm's own settings", { npm_config_location: 'global' }, 'npm run deploy -- --location'],
])('refused: %s', (_, env, advice) => {
	expect(() => readOptions([], env)).toThrow(advice);
});
