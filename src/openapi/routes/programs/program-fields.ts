import * as z from 'zod/mini';
import { Cents, Count, CurrencyCode, Day, Id, Instant, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';

const program = {
	id: is(Id, "The program's id."),
	workspace_id: is(Id, 'Id of its workspace.'),
	name: is(Text, "The program's name."),
	domain: is(z.nullable(Text), 'Host name of the site; null if none is set.'),
	domain_verified_at: is(z.nullable(Instant), 'When the current domain was verified, UTC; null if it is not verified.'),
	currency: is(CurrencyCode, 'ISO 4217 code. The default currency of sales, and the currency of report totals.'),
	cookie_window_days: is(Count, 'The attribution window: the number of days after a click during which a sale earns a commission.'),
	click_retention_days: is(z.nullable(Count), 'How many days clicks are kept before they are retired; null for ever.'),
	allowed_origins: is(z.array(Text), 'Origins whose pages may report clicks and leads, sorted.'),
	time_zone: is(Text, 'IANA name of the time zone of reports.'),
	active: is(z.boolean(), "Whether the program's links and keys work."),
	server_leads_only: is(z.boolean(), 'Whether a `customer_key` is accepted from backends only.'),
	keep_emails: is(z.boolean(), 'Whether email addresses of leads are stored in plain text.'),
	payout_minimum_cents: is(
		Cents,
		'Default minimum of a payout that sets none, in minor units of `currency`. Other currencies have no minimum.',
	),
	renewals_follow_checkout: is(
		z.boolean(),
		"Whether a Stripe renewal whose subscription has no tracker metadata is attributed like the subscription's first sale.",
	),
	coupon_wins: is(z.boolean(), "Whether a sale's coupon takes precedence over its click."),
	rules_by_line: is(z.boolean(), 'Whether each line of a cart uses its own commission rule.'),
	partner_postbacks: is(z.boolean(), 'Whether partners may have postbacks.'),
	created_at: is(Instant, 'When it was created, UTC.'),
	archived_at: is(z.nullable(Instant), 'When it was archived, UTC; null if it is not archived.'),
	api_token_prefix: is(z.nullable(Text), 'First characters of the program key; null if there is no key.'),
	api_token_last_used_at: is(z.nullable(Instant), 'When the key was last used, UTC, to within minutes; null if never.'),
};

export const Program = named('Program', 'A program.', z.object(program));

export const ProgramDetails = named(
	'ProgramDetails',
	'A program, whether it has sales, and what has been retired of its clicks.',
	z.object({
		...program,
		has_sales: is(z.boolean(), 'Whether a sale was ever recorded, other than tests.'),
		kept_clicks: is(
			z.object({
				since: is(z.nullable(Day), 'The first day with a click after the retired days; null if there is none.'),
				clicks: is(Count, 'How many clicks there have been since then, without tests and crawlers.'),
				bytes: is(Count, 'About how much of the database they take, in bytes, with indexes.'),
			}),
			'Clicks that are in the database because they are not older than `click_retention_days`.',
		),
		retired_clicks: is(
			z.object({
				until: is(z.nullable(Day), 'The last day of which clicks were retired; null if none were.'),
				clicks: is(Count, 'How many clicks were retired.'),
				deleted: is(Count, 'How many of them were deleted, because no bucket was bound then.'),
				bytes: is(Count, 'The size of the compressed files, in bytes.'),
				are_in_files: is(z.boolean(), 'Whether a bucket is bound. If so, clicks are moved into its files; otherwise they are deleted.'),
			}),
			'Clicks that are no longer in the database, because they are older than `click_retention_days`. Clicks of customers stay.',
		),
	}),
);

export const NewProgram = named(
	'NewProgram',
	'A new program with its key.',
	z.object({ ...program, api_token: is(Text, 'The program key. Shown once; later only after the password is entered again.') }),
);
