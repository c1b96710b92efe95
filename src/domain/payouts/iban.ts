/** From the registry of ISO 13616. */
const LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
	(
		'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 ' +
		'FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 ' +
		'LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 ' +
		'SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
	)
		.split(' ')
		.map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Normalises an IBAN to capitals without spaces. Undefined if it is invalid. */
export function parseIban(text: string): string | undefined {
	return ibanProblem(text) === undefined ? compact(text) : undefined;
}

/** What is wrong with an IBAN; undefined if it is valid. */
export function ibanProblem(text: string): string | undefined {
	const iban = compact(text);
	if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return 'An IBAN begins with two letters and two digits, and has only letters and digits.';
	const country = iban.slice(0, 2);
	const length = LENGTHS[country];
	if (length === undefined) return `${country} is not a country that uses IBANs.`;
	if (length !== iban.length) return `An IBAN that begins with ${country} has ${length} characters, but this one has ${iban.length}.`;
	return remainderOf(iban) === 1 ? undefined : 'A character of this IBAN is wrong: its check digits do not match.';
}

function compact(text: string): string {
	return text.replaceAll(/\s/g, '').toUpperCase();
}

/** Normalises a BIC (ISO 9362) to capitals. Undefined if it is invalid. */
export function parseBic(text: string): string | undefined {
	const bic = text.trim().toUpperCase();
	return /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic) ? bic : undefined;
}

/** The remainder modulo 97 (ISO 7064), with the first four characters moved to the end and letters counted from 10. */
function remainderOf(iban: string): number {
	const turned = `${iban.slice(4)}${iban.slice(0, 4)}`;
	let remainder = 0;
	for (const character of turned) {
		const value = Number.parseInt(character, 36);
		remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
	}
	return remainder;
}
