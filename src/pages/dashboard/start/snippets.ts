/** Code to copy, and what to do with it. */
export interface Snippet {
	readonly id: string;
	readonly name: string;
	readonly about: string;
	readonly files: readonly CodeFile[];
	readonly guide: string;
}

export interface CodeFile {
	/** Where the code belongs, such as a file's name. */
	readonly place: string;
	readonly code: string;
}

const STUB = 'window.tracker = window.tracker || function () { (tracker.q = tracker.q || []).push(arguments); };';

/** The script tag for each kind of site. `service` is the origin of this service. */
export function scriptSnippets(service: string): readonly Snippet[] {
	const tag = `<script>${STUB}</script>\n<script async src="${service}/tracker.js"></script>`;
	return [
		{
			id: 'html',
			name: 'HTML',
			about: 'Put these two lines into the <head> of every page that a partner\u2019s link may lead to.',
			files: [{ place: 'HTML', code: tag }],
			guide: '/docs/browser',
		},
		{
			id: 'nextjs',
			name: 'Next.js',
			about: 'Put the two script elements into the root layout. The script follows the router automatically.',
			files: [{ place: 'app/layout.tsx', code: nextLayout(service) }],
			guide: '/docs/nextjs',
		},
		{
			id: 'react',
			name: 'React',
			about: 'Put these two lines into the <head> of the page that loads your app. The script follows the router automatically.',
			files: [{ place: 'index.html', code: tag }],
			guide: '/docs/single-page-apps',
		},
		{
			id: 'wordpress',
			name: 'WordPress',
			about: 'Add this to the end of functions.php in your child theme.',
			files: [{ place: 'functions.php', code: `add_action( 'wp_head', function () { ?>\n${tag}\n<?php }, 1 );` }],
			guide: '/docs/browser',
		},
		{
			id: 'gtm',
			name: 'Google Tag Manager',
			about: 'Create a tag of type Custom HTML with this code and the trigger All Pages. Then publish the container.',
			files: [{ place: 'Custom HTML', code: tag }],
			guide: '/docs/browser',
		},
	];
}

function nextLayout(service: string): string {
	return `import type { ReactNode } from 'react';

const STUB = '${STUB}';

export default function RootLayout({ children }: { children: ReactNode }) {
	return (
		<html lang="en">
			<head>
				<script dangerouslySetInnerHTML={{ __html: STUB }} />
				<script async src="${service}/tracker.js" />
			</head>
			<body>{children}</body>
		</html>
	);
}`;
}

export interface SaleFacts {
	readonly service: string;
	/** Undefined until it is shown. */
	readonly key: string | undefined;
	/** The id of a real click. */
	readonly clickId: string | undefined;
	/** A page with a partner's link. */
	readonly address: string | undefined;
}

/** A sale from a terminal and from a backend. */
export function saleSnippets(facts: SaleFacts): readonly Snippet[] {
	const { service, key = 'prg_...' } = facts;
	const environment = `TRACKER_URL=${service}\nTRACKER_KEY=${key}`;
	return [
		{
			id: 'curl',
			name: 'curl',
			about: 'Paste this into a terminal to report a sale of 99.00. Your backend makes the same call.',
			files: [{ place: 'Terminal', code: saleCommand({ ...facts, key }) }],
			guide: '/docs/http-api',
		},
		{
			id: 'node',
			name: 'Node.js',
			about: 'Put the address and the key into the environment of your backend. Then report sign-ups and payments with the SDK.',
			files: [
				{ place: '.env', code: environment },
				{ place: 'JavaScript', code: NODE },
			],
			guide: '/docs/sdk',
		},
		{
			id: 'nextjs',
			name: 'Next.js',
			about: 'Put the address and the key into the environment of your app. Then report sign-ups and payments in route handlers.',
			files: [
				{ place: '.env.local', code: environment },
				{ place: 'app/api/sign-up/route.ts', code: NEXT_SIGN_UP },
				{ place: 'app/api/paid/route.ts', code: NEXT_PAID },
			],
			guide: '/docs/nextjs',
		},
	];
}

/** Without a real click, the command records one itself. */
function saleCommand({ service, key, clickId, address }: SaleFacts): string {
	const json = "-H 'Content-Type: application/json'";
	const saleWith = (click: string) =>
		`curl ${service}/api/v1/track/sale \\\n  -H 'Authorization: Bearer ${key}' ${json} \\\n  -d '{"transaction_id": "order-1", "amount_cents": 9900, "customer_key": "user-1", "click_id": "${click}"}'`;
	if (clickId !== undefined || address === undefined) return saleWith(clickId ?? 'cust_...');
	const click = `CLICK=$(curl -s ${service}/api/v1/track/click ${json} \\\n  -d '{"affiliate_url": "${address}"}' | sed 's/.*"click_id":"\\([^"]*\\)".*/\\1/')`;
	return `${click}\n${saleWith("'$CLICK'")}`;
}

const NODE = `import { clickIdFrom, Tracker } from 'affiliate-tracker/sdk';

// Reads TRACKER_URL and TRACKER_KEY.
const tracker = new Tracker();

// After a sign-up: the click is in a cookie of the request.
await tracker.lead({ customer_key: user.id, click_id: clickIdFrom(request) });

// After each payment: a payment that is reported twice is recorded once.
await tracker.sale({ transaction_id: payment.id, amount_cents: 9900, customer_key: user.id });`;

const NEXT_SIGN_UP = `import { clickIdFrom, Tracker } from 'affiliate-tracker/sdk';

export async function POST(request: Request) {
	const user = await signUp(request); // Your own sign-up.
	await new Tracker().lead({ customer_key: user.id, click_id: clickIdFrom(request) });
	return Response.json({ user: user.id });
}`;

const NEXT_PAID = `import { Tracker } from 'affiliate-tracker/sdk';

export async function POST(request: Request) {
	const { id, cents, user } = await verifiedPayment(request); // Check your processor's signature.
	await new Tracker().sale({ transaction_id: id, amount_cents: cents, customer_key: user });
	return Response.json({ recorded: true });
}`;
