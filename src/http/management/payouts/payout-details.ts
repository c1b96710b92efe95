import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { PAYOUT_METHODS, type PayoutDetails, payoutDetailsOf } from '../../../domain/payouts/payout-details.ts';
import { askPayoutDetails } from '../../../notifications/ask-payout-details.ts';
import { once } from '../../../once.ts';
import { Parsed } from '../../../parsed.ts';
import { changePayoutDetails, removePayoutDetails } from '../../../payouts/change-payout-details.ts';
import { type MaskedDetails, requireOwnDetails } from '../../../payouts/payout-details.ts';
import { revealPayoutDetails } from '../../../payouts/reveal-payout-details.ts';
import type { AppEnv } from '../../app-env.ts';
import { Currency, FreeText, Identifier, Name, PasswordRequest, Strict } from '../../fields.ts';
import { body, noQuery, params } from '../../validate.ts';
import { fewGuesses, requireFewTries } from '../guesses.ts';
import { requirePartnerAccount, requireProgram } from '../session.ts';

/** Must not start like a formula, because the batch file has it unchanged and spreadsheets open that file. */
export const PayoutEmail = once(() =>
	Parsed('must be an email address that begins with a letter or digit', (text) => {
		const address = text.trim();
		return address.length <= 127 && /^[A-Za-z0-9][^\s\p{C}@,;"'<>]*@[^\s\p{C}@,;"'<>]+\.[^\s\p{C}@,;"'<>]+$/u.test(address)
			? address
			: undefined;
	}),
);

const account = (message: string, form: RegExp) => Parsed(message, (text) => (form.test(text.trim()) ? text.trim() : undefined));

export const Country = once(() => account('must be the two letters of a country, such as "US"', /^[A-Za-z]{2}$/));
export const AccountNumber = once(() => account('must be 4 to 34 digits and letters', /^[A-Za-z0-9][A-Za-z0-9-]{2,32}[A-Za-z0-9]$/));
export const RoutingCode = once(() => account('must be 3 to 20 digits and letters', /^[A-Za-z0-9][A-Za-z0-9-]{1,18}[A-Za-z0-9]$/));

export const NewPayoutDetails = once(() =>
	Strict({
		password: FreeText(200),
		method: z.enum(PAYOUT_METHODS, `must be one of ${PAYOUT_METHODS.join(', ')}`),
		email: z.optional(PayoutEmail()),
		holder: z.optional(Name()),
		receiver_type: z.optional(z.enum(['person', 'business'], 'must be person or business')),
		currency: z.optional(Currency()),
		iban: z.optional(Identifier(50)),
		bic: z.optional(Identifier(20)),
		country: z.optional(Country()),
		account_number: z.optional(AccountNumber()),
		routing_code: z.optional(RoutingCode()),
	}),
);

/** /api/v1/partner-accounts/:partnerId/payout-details, for the person behind the partner. */
export const ownPayoutDetails = new Hono<AppEnv>()
	.get('/', requirePartnerAccount, noQuery, params(['partnerId']), async (c) => {
		const { ctx, partner } = c.var;
		return c.json({ success: true, data: maskedOnWire(await requireOwnDetails(ctx, partner)) });
	})
	.put('/', fewGuesses, requirePartnerAccount, params(['partnerId']), body(NewPayoutDetails), async (c) => {
		const { ctx, partner } = c.var;
		const {
			password,
			receiver_type: receiverType,
			account_number: accountNumber,
			routing_code: routingCode,
			...sent
		} = c.req.valid('json');
		const details = payoutDetailsOf({ ...sent, receiverType, accountNumber, routingCode });
		await requireFewTries(c, { email: partner.actor.email, what: 'password' });
		return c.json({ success: true, data: maskedOnWire(await changePayoutDetails(ctx, partner, details, password)) });
	})
	.delete('/', fewGuesses, requirePartnerAccount, params(['partnerId']), body(PasswordRequest), async (c) => {
		const { ctx, partner } = c.var;
		await requireFewTries(c, { email: partner.actor.email, what: 'password' });
		await removePayoutDetails(ctx, partner, c.req.valid('json').password);
		return c.json({ success: true, data: null });
	});

/** /api/v1/programs/:id/partners/:partnerId/payout-details */
export const payoutDetailsOfPartner = new Hono<AppEnv>()
	.post('/ask', requireProgram('admin'), params(['partnerId']), async (c) => {
		const { ctx, program } = c.var;
		const { partnerId } = c.req.valid('param');
		const askedAt = await askPayoutDetails(ctx, program, partnerId);
		return c.json({ success: true, data: { partner_id: partnerId, asked_at: isoOf(askedAt) } });
	})
	.post('/reveal', fewGuesses, requireProgram('admin'), params(['partnerId']), body(PasswordRequest), async (c) => {
		const { ctx, program } = c.var;
		await requireFewTries(c, { email: program.actor.email, what: 'password' });
		const details = await revealPayoutDetails(ctx, program, c.req.valid('param').partnerId, c.req.valid('json').password);
		return c.json({ success: true, data: detailsOnWire(details) });
	});

export function maskedOnWire({ method, summary, changedAt }: MaskedDetails) {
	return { method, summary, changed_at: isoOf(changedAt) };
}

function detailsOnWire({ receiverType, accountNumber, routingCode, ...details }: PayoutDetails) {
	return { ...details, receiver_type: receiverType, account_number: accountNumber, routing_code: routingCode };
}
