export const PARTNER_RANKINGS = [
	'name',
	'joined',
	'clicks',
	'leads',
	'conversions',
	'sales',
	'revenue',
	'net_revenue',
	'commission',
	'net_commission',
	'earnings_per_click',
	'balance',
	'last_active',
] as const;
export type PartnerRanking = (typeof PARTNER_RANKINGS)[number];

export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface Ranking {
	readonly by: PartnerRanking;
	readonly direction: Direction;
}

export interface RankedPosition extends Ranking {
	readonly key: string | number;
	readonly partnerId: number;
}

/** Has no characters that need escaping in a URL. */
export function formatRankedPosition({ by, direction, key, partnerId }: RankedPosition): string {
	const text = encodeURIComponent(key).replaceAll('~', '%7E').replaceAll('%', '~');
	return `${by}.${direction}.${partnerId}.${typeof key === 'number' ? 'n' : 't'}${text}`;
}

export function parseRankedPosition(text: string): RankedPosition | undefined {
	const match = /^([a-z_]+)\.([a-z]+)\.([1-9]\d{0,14})\.([nt])([^%]{0,1500})$/.exec(text);
	const by = PARTNER_RANKINGS.find((known) => known === match?.[1]);
	const direction = DIRECTIONS.find((known) => known === match?.[2]);
	if (!match || !by || !direction) return undefined;
	const [, , , partnerId, kind, key = ''] = match;
	if (kind === 'n') return /^-?\d{1,16}$/.test(key) ? { by, direction, partnerId: Number(partnerId), key: Number(key) } : undefined;
	try {
		return { by, direction, partnerId: Number(partnerId), key: decodeURIComponent(key.replaceAll('~', '%')) };
	} catch {
		return undefined;
	}
}
