// The people, products and places in the demo's ninety days. All are fictional.

export interface CastPartner {
	readonly name: string;
	/** Used in the partner's email address, links and pages. */
	readonly slug: string;
	/** The partner's share of the visitors, relative to the other weights. */
	readonly weight: number;
	/** The percentage of the partner's visitors who sign up. */
	readonly leadsInHundred: number;
	readonly kind: Kind;
	readonly joins?: number;
	/** The payout method that the partner enters after signing in; 'none' if they sign in but enter none. */
	readonly paidBy?: 'paypal' | 'wise' | 'bank' | 'none';
	/** The partner's second link. */
	readonly campaign?: string;
}

export type Kind = 'blog' | 'video' | 'newsletter' | 'deals' | 'social';

export const PARTNERS: readonly CastPartner[] = [
	{ name: 'Espresso Atlas', slug: 'espresso-atlas', weight: 190, leadsInHundred: 8, kind: 'video', paidBy: 'wise', campaign: 'atlas-gear' },
	{ name: 'Slow Pour Sundays', slug: 'slow-pour', weight: 150, leadsInHundred: 9, kind: 'newsletter', paidBy: 'paypal', campaign: 'issue' },
	{ name: 'Home Café Deals', slug: 'cafe-deals', weight: 135, leadsInHundred: 5, kind: 'deals', paidBy: 'bank' },
	{ name: 'Kettle & Cup', slug: 'kettle-cup', weight: 96, leadsInHundred: 7, kind: 'blog', paidBy: 'paypal', campaign: 'grinder-test' },
	{ name: 'The Moka Files', slug: 'moka-files', weight: 74, leadsInHundred: 6, kind: 'blog' },
	{ name: 'Bean Counter Podcast', slug: 'bean-counter', weight: 58, leadsInHundred: 10, kind: 'newsletter' },
	{
		name: 'Barista Basement',
		slug: 'barista-basement',
		weight: 52,
		leadsInHundred: 5,
		kind: 'video',
		joins: 21,
		campaign: 'basement-live',
	},
	{ name: 'Ines Falkenrath', slug: 'ines', weight: 40, leadsInHundred: 6, kind: 'social', paidBy: 'wise' },
	{ name: 'Roast Notes', slug: 'roast-notes', weight: 34, leadsInHundred: 7, kind: 'blog' },
	{ name: 'Crema Collective', slug: 'crema', weight: 30, leadsInHundred: 5, kind: 'social', joins: 34, paidBy: 'none' },
	{ name: 'Voucher Harbor', slug: 'voucher-harbor', weight: 44, leadsInHundred: 4, kind: 'deals' },
	{ name: 'Tobias Wrenfield', slug: 'wrenfield', weight: 22, leadsInHundred: 6, kind: 'blog' },
	{ name: 'Łucja Żurawińska-Brandt', slug: 'lucja', weight: 18, leadsInHundred: 6, kind: 'social' },
	{
		name: 'The Great Lakes Association of Independent Home Roasters, Pour-Over Enthusiasts and Patient Moka Pot Collectors',
		slug: 'great-lakes',
		weight: 16,
		leadsInHundred: 7,
		kind: 'newsletter',
	},
	{ name: 'Morning Ritual', slug: 'morning-ritual', weight: 14, leadsInHundred: 6, kind: 'newsletter', joins: 47 },
	{ name: 'Cold Brew Weekly', slug: 'cold-brew', weight: 12, leadsInHundred: 5, kind: 'newsletter' },
	{ name: 'Priya Ellinghaven', slug: 'priya', weight: 10, leadsInHundred: 6, kind: 'social' },
	{ name: 'Grindstone Reviews', slug: 'grindstone', weight: 9, leadsInHundred: 5, kind: 'blog', joins: 58 },
	{ name: 'Café Ångström', slug: 'angstrom', weight: 7, leadsInHundred: 5, kind: 'blog' },
	{ name: 'Third Shelf', slug: 'third-shelf', weight: 5, leadsInHundred: 4, kind: 'blog' },
	{ name: 'Oskar Thistlewood', slug: 'oskar', weight: 3, leadsInHundred: 4, kind: 'social', joins: 70 },
	{ name: 'Steam & Story', slug: 'steam-story', weight: 2, leadsInHundred: 3, kind: 'video' },
];

// The slugs match those in PARTNERS.
export const SUSPENDED = { slug: 'voucher-harbor', on: 63, reason: 'Bids on our brand name in search ads' } as const;
export const RESUMED = { slug: 'cold-brew', suspendedOn: 35, on: 49, reason: 'The disclosure was missing on your pages' } as const;
export const ENDED = { slug: 'third-shelf', on: 55, reason: 'The blog was closed' } as const;
/** A large order is refunded after all of this partner's commissions have been paid. */
export const IN_DEBT = { slug: 'wrenfield' } as const;

export const GROUPS = [
	{ name: 'Creators', slugs: ['espresso-atlas', 'barista-basement', 'ines', 'crema', 'lucja', 'priya'] },
	{ name: 'Newsletters and podcasts', slugs: ['slow-pour', 'bean-counter', 'great-lakes', 'cold-brew'] },
	{ name: 'Deals and coupons', slugs: ['cafe-deals', 'voucher-harbor'] },
] as const;

export const JAPAN_PARTNERS: readonly CastPartner[] = [
	{ name: '山の珈琲手帖', slug: 'yama-coffee', weight: 60, leadsInHundred: 7, kind: 'blog' },
	{ name: 'Tokyo Bean Diary', slug: 'tokyo-bean', weight: 30, leadsInHundred: 6, kind: 'social' },
	// A partner in both programs.
	{ name: 'Espresso Atlas', slug: 'espresso-atlas', weight: 15, leadsInHundred: 5, kind: 'video', joins: 6 },
];

export interface Product {
	readonly id: string;
	readonly cents: number;
	readonly weight: number;
	/** The maximum quantity in one order. */
	readonly most: number;
}

export const PRODUCTS: readonly Product[] = [
	{ id: 'house-blend', cents: 18_00, weight: 32, most: 3 },
	{ id: 'single-origin', cents: 24_50, weight: 26, most: 3 },
	{ id: 'pour-over-kit', cents: 64_00, weight: 14, most: 1 },
	{ id: 'gift-card', cents: 50_00, weight: 9, most: 2 },
	{ id: 'burr-grinder', cents: 139_00, weight: 9, most: 1 },
	{ id: 'espresso-machine', cents: 449_00, weight: 4, most: 1 },
];
/** A subscription that is sold only through Stripe. */
export const CLUB = { id: 'coffee-club', cents: 29_00 } as const;

/** The yen has no cents. */
export const JAPAN_PRODUCTS: readonly Product[] = [
	{ id: 'yanaka-blend', cents: 2_400, weight: 30, most: 3 },
	{ id: 'drip-bag-box', cents: 1_580, weight: 30, most: 4 },
	{ id: 'hand-grinder', cents: 12_800, weight: 6, most: 1 },
];

export interface Place {
	readonly country: string | undefined;
	readonly weight: number;
	readonly language: string;
	readonly timezone: string;
	/** The local currency, if it differs from the program's. */
	readonly currency?: string;
}

export const PLACES: readonly Place[] = [
	{ country: 'US', weight: 610, language: 'en-US', timezone: 'America/New_York' },
	{ country: 'CA', weight: 95, language: 'en-CA', timezone: 'America/Toronto', currency: 'CAD' },
	{ country: 'GB', weight: 85, language: 'en-GB', timezone: 'Europe/London', currency: 'GBP' },
	{ country: 'DE', weight: 50, language: 'de-DE', timezone: 'Europe/Berlin', currency: 'EUR' },
	{ country: 'FR', weight: 32, language: 'fr-FR', timezone: 'Europe/Paris', currency: 'EUR' },
	{ country: 'NL', weight: 24, language: 'nl-NL', timezone: 'Europe/Amsterdam', currency: 'EUR' },
	{ country: 'AU', weight: 36, language: 'en-AU', timezone: 'Australia/Sydney' },
	{ country: 'MX', weight: 18, language: 'es-MX', timezone: 'America/Mexico_City' },
	{ country: 'BR', weight: 16, language: 'pt-BR', timezone: 'America/Sao_Paulo' },
	{ country: 'IN', weight: 14, language: 'en-IN', timezone: 'Asia/Kolkata' },
	{ country: 'SE', weight: 10, language: 'sv-SE', timezone: 'Europe/Stockholm' },
	{ country: undefined, weight: 10, language: 'en', timezone: 'UTC' },
];

export const JAPAN_PLACES: readonly Place[] = [
	{ country: 'JP', weight: 90, language: 'ja-JP', timezone: 'Asia/Tokyo' },
	{ country: 'TW', weight: 6, language: 'zh-TW', timezone: 'Asia/Taipei' },
	{ country: 'US', weight: 4, language: 'en-US', timezone: 'America/Los_Angeles', currency: 'USD' },
];

/** The referrers of a partner's visitors, in addition to the partner's own pages. Empty for a direct visit. */
export const REFERRERS: Readonly<Record<Kind, readonly string[]>> = {
	blog: ['https://www.google.com/', 'https://www.google.com/', 'https://duckduckgo.com/', 'https://www.bing.com/', ''],
	video: ['https://www.youtube.com/', 'https://www.youtube.com/', 'https://m.youtube.com/', 'https://www.google.com/', ''],
	newsletter: ['', '', 'https://mail.google.com/', 'https://outlook.live.com/'],
	deals: ['https://www.google.com/', 'https://www.google.com/', 'https://www.bing.com/', 'https://www.reddit.com/r/deals'],
	social: ['https://l.instagram.com/', 'https://www.instagram.com/', 'https://www.tiktok.com/', 'android-app://com.reddit.frontpage', ''],
};

export const AGENTS = [
	'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
	'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
	'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0',
] as const;
export const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

export const PAGES = [
	{ path: '/', title: 'Northwind Coffee' },
	{ path: '/coffee', title: 'Fresh beans, roasted to order' },
	{ path: '/coffee/house-blend', title: 'House Blend' },
	{ path: '/gear', title: 'Grinders, kettles and machines' },
	{ path: '/club', title: 'The Coffee Club' },
	{ path: '/gifts', title: 'Gifts' },
] as const;

export const CAMPAIGNS = ['welcome', 'autumn-roast', 'gear-guide', 'club-launch', 'gift-season'] as const;

export const REFUND_REASONS = [
	'Arrived damaged',
	'Changed my mind',
	'Ordered twice',
	'Wrong grind',
	'Late delivery',
	'Not as described',
] as const;

export const APPLICANTS = [
	{ name: 'Aeropress Anonymous', status: 'approved', on: 12, message: 'We run a forum with 14,000 members and test two brewers a month.' },
	{ name: 'Pia Lindenquist', status: 'approved', on: 40, message: 'Photographer. I would like to show your beans in my recipe series.' },
	{ name: 'Coupon Cavalcade', status: 'declined', on: 24, reason: 'We are not accepting coupon sites right now', message: 'Best coupons' },
	{ name: 'Crypto Brew Signals', status: 'declined', on: 66, reason: 'Not about coffee', message: 'Guaranteed 10x traffic!!!' },
	{ name: 'Desk & Drip', status: 'open', on: 84, message: 'A newsletter about working from home, 6,200 readers, 48 % open rate.' },
	{ name: 'Lowland Roasters Guild', status: 'open', on: 86, message: 'Twelve small roasters who share one shop page.' },
	{ name: 'Marisol Quenby', status: 'open', on: 87, message: 'Latte art on short video. 31k followers.\n\nI can start right away.' },
	{ name: 'The Percolator', status: 'open', on: 88, message: 'Weekly podcast on kitchen gear.' },
] as const;

const FIRST_NAMES =
	'ada ben cleo dana eli fay gus hana ivo june kai lena milo nora otis pia quinn rosa sam tess uma vera wes yara zoe'.split(' ');
const LAST_NAMES = 'abbot birch calder dunn ferris gale hart ivers joss keene lund marsh north orr pell reyes stone thorne vale wick'.split(
	' ',
);

/** An email address that is unique for each number. */
export function addressOf(number: number): string {
	const first = FIRST_NAMES[(number * 7) % FIRST_NAMES.length];
	const last = LAST_NAMES[(number * 11) % LAST_NAMES.length];
	return `${first}.${last}${number}@mail.example`;
}
