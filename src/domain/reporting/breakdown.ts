import { toMajorUnits } from '../money.ts';
import type { StoredDimension } from './changed-figures.ts';
import type { Amounts } from './performance.ts';

/** Only sales and their commissions have a product. */
export const DIMENSIONS = ['partner', 'link', 'product', 'country', 'source'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** A partner's figures are the sum of their links', so partners have no rows. */
export function storedDimensionOf(by: Dimension): StoredDimension {
	return by === 'partner' ? 'link' : by;
}

export interface ReportFilter {
	readonly by: Dimension;
	/** Ids of partners and links are stored as strings. */
	readonly value: string;
}

/** The empty string means none or unknown. */
export interface BreakdownFigures {
	readonly value: string;
	/** A partner's name, or a link's short_link. */
	readonly label: string | null;
	readonly clicks: number;
	readonly leads: number;
	readonly conversions: number;
	/** Counted in all currencies. */
	readonly sales: number;
	readonly amounts: readonly BreakdownAmounts[];
}

export interface BreakdownAmounts extends Amounts {
	readonly currency: string;
}

export type BreakdownRow = ReturnType<typeof breakdownRowOf>;

/** In major units. Amounts in other currencies are under their code. */
export function breakdownRowOf(by: Dimension, figures: BreakdownFigures, currency: string) {
	const { clicks, leads, conversions, sales } = figures;
	const counts = by === 'product' ? { clicks: null, leads: null, conversions: null } : { clicks, leads, conversions };
	const own = figures.amounts.find((amounts) => amounts.currency === currency);
	const others = figures.amounts
		.filter((amounts) => amounts !== own && (amounts.sales !== 0 || amounts.commissionCents !== 0))
		.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
	const currencies = Object.fromEntries(others.map((amounts) => [amounts.currency, moneyOf(amounts, amounts.currency, amounts.sales)]));
	return {
		value: valueOf(by, figures.value),
		label: figures.label ?? (figures.value === '' ? null : figures.value),
		...counts,
		...moneyOf(own, currency, sales),
		...(others.length === 0 ? {} : { currencies }),
	};
}

function valueOf(by: Dimension, value: string): string | number | null {
	if (value === '') return null;
	return isIdentified(by) ? Number(value) : value;
}

export function isIdentified(by: Dimension): boolean {
	return by === 'partner' || by === 'link';
}

/** In major units. */
function moneyOf(amounts: BreakdownAmounts | undefined, currency: string, sales: number) {
	const { revenueCents = 0, refundedCents = 0, commissionCents = 0, deductedCents = 0 } = amounts ?? {};
	return {
		revenue: toMajorUnits(revenueCents, currency),
		netRevenue: toMajorUnits(revenueCents - refundedCents, currency),
		sales,
		commission: toMajorUnits(commissionCents, currency),
		netCommission: toMajorUnits(commissionCents - deductedCents, currency),
	};
}

/** Ordered by revenue in the program's currency, then clicks, then value, each descending. */
export interface BreakdownPosition {
	readonly revenueCents: number;
	readonly clicks: number;
	readonly value: string;
}

/** Has no characters that need escaping in a URL. */
export function formatBreakdownPosition({ revenueCents, clicks, value }: BreakdownPosition): string {
	return `${revenueCents}.${clicks}.${encodeURIComponent(value).replaceAll('~', '%7E').replaceAll('%', '~')}`;
}

export function parseBreakdownPosition(text: string): BreakdownPosition | undefined {
	const match = /^(\d{1,16})\.(\d{1,15})\.([^%]{0,2300})$/.exec(text);
	if (!match) return undefined;
	const [, revenueCents, clicks, value = ''] = match;
	try {
		return { revenueCents: Number(revenueCents), clicks: Number(clicks), value: decodeURIComponent(value.replaceAll('~', '%')) };
	} catch {
		return undefined;
	}
}
