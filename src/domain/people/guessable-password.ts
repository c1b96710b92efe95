import { hasVariety } from './password-variety.ts';

/** The most common stolen passwords, without digits and signs at either end. */
const COMMON = `
0102030405 0987654321 1020304050 1029384756 1122334455 112233445566 1123581321 1357924680 147258369 1a2b3c4d5e 1q2q3q4q5q 1z2x3c4v5b
3141592654 4815162342 7894561230 a1a2a3a4a5 a1b2c3d4e5 a1s2d3f4g5 aleksandra alessandro alexander anastasiya ashley azsxdcfvgb barcelona
baseball basketball bestfriend blackberry california callofduty changeme charlie cheesecake chocolate christopher computer contraseña
correcthorsebatterystaple counterstrike darthvader deutschland dragon dragonball elizabeth fenerbahce finalfantasy fktrcfylhf football
galatasaray gfhjkmgfhjkm girlfriend harrypotter hellokitty helloworld internet ironmaiden jamesbond jessica jordan konstantin lamborghini
liverpool manchester master maximilian metallica michael michelle mickeymouse minecraft mitsubishi monkey motdepasse opensesame
playstation pokemon princess q1q2q3q4q5 qawsedrftg qazwsxedc qazxswedc qpwoeiruty qweasdzxc realmadrid samsung secret shadow sonyericsson
spiderman strawberry sunshine superman sweetheart testing trustnoone volkswagen volleyball wachtwoord washington watermelon z1x2c3v4b5
zxcasdqwe
`;

/** Keyboard rows, and words that come to mind first here. */
const PARTS =
	'affiliate tracker partner commission password passwort qwert uiop asdfg zxcvb yxcvb azert 12345 54321 q1w2e 1q2w3 qazwsx edcrfv zaq12wsx 1qaz abcdef ilove letmein welcome admin';

export const GUESSABLE =
	'is too common or too close to your name, your address or this service. Choose a few words that nobody else would combine';

/** Whether common or personal guesses would find the password. Ignores case, and digits and signs around a word or in place of letters. */
export function isGuessable(password: string, person: { readonly email: string; readonly name: string }): boolean {
	const text = plain(password);
	const parts = [...wordsOf(person), ...PARTS.split(' ')];
	return [text, spelled(text)].some((read) => isCommon(read) || isLittleMoreThan(parts, read));
}

function isCommon(text: string): boolean {
	const word = text.replace(/^\P{L}+|\P{L}+$/gu, '');
	return COMMON.trim()
		.split(/\s/)
		.some((common) => common === text || common === word);
}

function isLittleMoreThan(parts: readonly string[], text: string): boolean {
	const rest = parts.reduce((left, part) => left.replaceAll(part, ''), text);
	return rest !== text && !hasVariety(rest.replace(/\P{L}/gu, ''));
}

const SIGNS = '@4$5013';
const LOOKALIKES = 'aassoie';

/** Replaces symbols and digits used in place of letters, as in p@ssw0rd. */
function spelled(text: string): string {
	return text.replace(/[@4$5013]/g, (sign) => LOOKALIKES.charAt(SIGNS.indexOf(sign)));
}

function wordsOf({ email, name }: { readonly email: string; readonly name: string }): string[] {
	const texts = [email, name].map(plain);
	return [...texts, ...texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))].filter((word) => word.length >= 3);
}

function plain(text: string): string {
	return text.normalize('NFKC').toLowerCase();
}
