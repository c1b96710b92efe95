import * as z from 'zod/mini';
import { Cents, Id, Instant, Mailed, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { PartnerStatus } from '../accounts/me.ts';
import { MaskedDetails } from '../payouts/payout-details.ts';

export const link = {
	id: is(Id, "The link's id."),
	short_link: is(Text, "The value of `aff` in the partner's links. It never changes."),
	destination_url: is(z.nullable(Text), 'The page the link leads to; null if it works on any page with `?aff=`.'),
	archived: is(z.boolean(), 'Whether the link no longer accepts clicks.'),
	created_at: is(Instant, 'When it was created, UTC.'),
};

export const Balance = named(
	'Balance',
	"A partner's balance in one currency, in minor units. No amount is negative.",
	z.object({
		available: is(Cents, 'Amount that can be paid now.'),
		pending: is(Cents, 'Remaining amount of commissions on hold.'),
		debt: is(Cents, 'Amount the partner owes beyond what can be paid now; later payouts recover it.'),
	}),
);

export const partner = {
	id: is(Id, "The partner's id."),
	partner_program_id: is(Id, "The membership's id."),
	name: is(Text, "The partner's name in the workspace."),
	email: is(Text, 'Email address, in lower case.'),
	accepted: is(z.boolean(), 'Whether the invitation was accepted, so that a person signs in as the partner.'),
	status: PartnerStatus,
	status_reason: is(z.nullable(Text), 'Why it was suspended, resumed or ended; shown to the partner.'),
	group: is(
		z.nullable(z.object({ id: is(Id, "The group's id."), name: is(Text, "The group's name.") })),
		'The group whose rules apply if the partner has none; null if none.',
	),
	balances: is(z.record(z.string(), Balance), 'Balances in the program by ISO 4217 code. The total is available + pending - debt.'),
	links: is(z.array(named('PartnerLink', "A partner's link.", z.object(link))), 'Referral links, oldest first.'),
	payout_details: is(z.nullable(MaskedDetails), 'Where the partner is paid, masked; null if the partner has not entered payout details.'),
	payout_details_asked_at: is(z.nullable(Instant), 'When the partner was last asked for payout details by email, UTC; null if never.'),
	created_at: is(Instant, 'When the partner joined the program, UTC.'),
};

export const Partner = named('Partner', 'A partner as a member of one program.', z.object(partner));

export const invitation = {
	invitation_url: is(
		z.nullable(Text),
		'Invitation link for the partner. The first person to use it can sign in as the partner. Works once, for seven days, and is shown only once. Null if an invitation was accepted before.',
	),
	mailed: Mailed,
};

export const AddedPartner = named('AddedPartner', 'A new partner with the invitation link.', z.object({ ...partner, ...invitation }));
