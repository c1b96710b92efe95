import { toMajorUnits } from '../../domain/money.ts';
import { amount, count, dayOfYear, money, roughAmount, roughCount, shortAmount, shortCount } from '../format.ts';

const DAY = /\b\d{4}-\d{2}-\d{2}\b/g;

/** Makes the service's text a sentence with days and amounts formatted as on the rest of the page. */
export function inWords(text: string, currency: string): string {
	const amounts = new RegExp(`\\b(\\d+(?:\\.\\d+)?) ${currency}\\b`, 'g');
	const sentence = text.replace(DAY, (day) => dayOfYear(day)).replace(amounts, (_, major: string) => amount(Number(major), currency));
	return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Exact, shortened and rounded formatters. Money is in minor units. */
export function writer({ isMoney }: { readonly isMoney: boolean }, currency: string) {
	if (!isMoney) return { exact: count, short: shortCount, rough: roughCount };
	return {
		exact: (cents: number) => money(cents, currency),
		short: (cents: number) => shortAmount(toMajorUnits(cents, currency), currency),
		rough: (cents: number) => roughAmount(toMajorUnits(cents, currency), currency),
	};
}
