import { parseBic, parseIban } from './iban.ts';
import { maskedEmail } from '../people/masked-email.ts';
import { invalid } from '../rejection.ts';

export const PAYOUT_METHODS = ['paypal', 'wise', 'bank'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** Fields that the method does not need are null. */
export interface PayoutDetails {
	readonly method: PayoutMethod;
	readonly email: string | null;
	readonly holder: string | null;
	readonly receiverType: 'person' | 'business' | null;
	readonly currency: string | null;
	readonly iban: string | null;
	readonly bic: string | null;
	/** The country (ISO 3166) of an account without an IBAN. */
	readonly country: string | null;
	readonly accountNumber: string | null;
	readonly routingCode: string | null;
}

type Field = Exclude<keyof PayoutDetails, 'method'>;
export type SentDetails = { readonly method: PayoutMethod } & { readonly [Name in Field]?: PayoutDetails[Name] | undefined };

const NAMES: Readonly<Record<Field, string>> = {
	email: 'email',
	holder: 'holder',
	receiverType: 'receiver_type',
	currency: 'currency',
	iban: 'iban',
	bic: 'bic',
	country: 'country',
	accountNumber: 'account_number',
	routingCode: 'routing_code',
};
const FIELDS: readonly Field[] = ['email', 'holder', 'receiverType', 'currency', 'iban', 'bic', 'country', 'accountNumber', 'routingCode'];

const ASKED = {
	paypal: { needed: ['email'], more: [] },
	wise: { needed: ['email', 'holder'], more: ['receiverType'] },
	iban: { needed: ['holder', 'currency', 'iban'], more: ['bic'] },
	account: { needed: ['holder', 'currency', 'country', 'accountNumber', 'routingCode'], more: ['bic'] },
} as const satisfies Record<string, { readonly needed: readonly Field[]; readonly more: readonly Field[] }>;

/** Validates details and returns what to store. Rejects with 400 if a field is missing, superfluous or invalid. */
export function payoutDetailsOf(sent: SentDetails): PayoutDetails {
	const { needed, more }: { readonly needed: readonly Field[]; readonly more: readonly Field[] } =
		ASKED[sent.method === 'bank' ? (sent.iban === undefined ? 'account' : 'iban') : sent.method];
	for (const field of FIELDS) {
		const isSent = sent[field] !== undefined && sent[field] !== null;
		if (needed.includes(field) && !isSent) throw invalid(missing(sent, field));
		if (isSent && !needed.includes(field) && !more.includes(field)) throw invalid(`${NAMES[field]} is not used with these details`);
	}
	const iban = checked('iban', sent.iban, parseIban, 'is not a valid IBAN: a character is wrong or missing');
	const bic = checked('bic', sent.bic, parseBic, 'is not a valid BIC: a BIC has 8 or 11 letters and digits');
	return {
		method: sent.method,
		email: sent.email ?? null,
		holder: sent.holder ?? null,
		receiverType: sent.method === 'wise' ? (sent.receiverType ?? 'person') : null,
		currency: sent.currency ?? null,
		iban,
		bic,
		country: checked('country', sent.country, (code) => code.toUpperCase(), ''),
		accountNumber: sent.accountNumber ?? null,
		routingCode: sent.routingCode ?? null,
	};
}

function missing({ method }: SentDetails, field: Field): string {
	if (method === 'bank' && field !== 'holder' && field !== 'currency') return 'Send iban, or country, account_number and routing_code';
	return `${NAMES[field]} is required for ${method}`;
}

function checked(
	field: Field,
	text: string | null | undefined,
	parse: (text: string) => string | undefined,
	problem: string,
): string | null {
	if (text === undefined || text === null) return null;
	const value = parse(text);
	if (value === undefined) throw invalid(`${NAMES[field]} ${problem}`);
	return value;
}

/** Masked so that only the owner recognises the details. */
export function summaryOf({ method, email, iban, accountNumber, country }: PayoutDetails): string {
	if (method !== 'bank') return `${method === 'paypal' ? 'PayPal' : 'Wise'} ${maskedEmail(email ?? '')}`;
	return iban === null ? `Account ${lastOf(accountNumber ?? '')} (${country})` : `IBAN ${iban.slice(0, 2)}${lastOf(iban)}`;
}

/** At most four characters, and never more than a third of the number. */
function lastOf(number: string): string {
	return `…${number.slice(-Math.min(4, Math.floor(number.length / 3)))}`;
}
