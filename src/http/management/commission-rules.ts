import { Hono } from 'hono';
import * as z from 'zod/mini';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { once } from '../../once.ts';
import { archiveCommissionRule } from '../../programs/archive-commission-rule.ts';
import { changeCommissionRule } from '../../programs/change-commission-rule.ts';
import type { CommissionRule } from '../../programs/commission-rule.ts';
import { createCommissionRule } from '../../programs/create-commission-rule.ts';
import { listCommissionRules } from '../../programs/list-commission-rules.ts';
import type { AppEnv } from '../app-env.ts';
import { metaOf, PageQuery } from '../page.ts';
import { Currency, Id, Identifier, Percent, percentOf, Strict, Whole } from '../fields.ts';
import { body, params, query } from '../validate.ts';
import { requireProgram } from './session.ts';

const terms = once(() => ({
	type: z.optional(z.enum(['percent', 'flat'], 'must be "percent" or "flat"')),
	percent: z.optional(Percent()),
	amount_cents: z.optional(Whole(0, MAX_AMOUNT_CENTS)),
	currency: z.optional(Currency()),
	recurring_months: z.nullish(Whole(0, 1_200)),
	hold_days: z.optional(Whole(0, 3_650)),
}));

/** The terms of a rule; which of them a type needs is decided with what the rule says already. */
export const TermsRequest = once(() => Strict(terms()));

export const RuleRequest = once(() => Strict({ ...terms(), product_id: z.nullish(Identifier()), partner_id: z.nullish(Id()) }));

const SCOPE = 'cannot change: archive this rule and make another';
export const RuleChange = once(() =>
	Strict({ ...terms(), product_id: z.optional(z.never(SCOPE)), partner_id: z.optional(z.never(SCOPE)) }),
);

/** Under /programs/:id/commission-rules. */
export const commissionRules = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(PageQuery), async (c) => {
		const { ctx, program } = c.var;
		const page = await listCommissionRules(ctx, program.id, c.req.valid('query'));
		return c.json({ success: true, data: page.rows.map(ruleOnWire), meta: metaOf(page) });
	})
	.post('/', requireProgram('admin'), body(RuleRequest), async (c) => {
		const { ctx, program } = c.var;
		const request = c.req.valid('json');
		const scope = { partnerId: request.partner_id ?? null, productId: request.product_id ?? null };
		const rule = await createCommissionRule(ctx, program, scope, toTerms(request));
		return c.json({ success: true, data: ruleOnWire(rule) }, 201);
	})
	.patch('/:ruleId', requireProgram('admin'), params(['ruleId']), body(RuleChange), async (c) => {
		const { ctx, program } = c.var;
		const rule = await changeCommissionRule(ctx, program, c.req.valid('param').ruleId, toTerms(c.req.valid('json')));
		return c.json({ success: true, data: ruleOnWire(rule) });
	})
	.delete('/:ruleId', requireProgram('admin'), params(['ruleId']), async (c) => {
		const { ctx, program } = c.var;
		await archiveCommissionRule(ctx, program, c.req.valid('param').ruleId);
		return c.json({ success: true, data: null });
	});

/** The request's terms in the words of the domain. */
export function toTerms(request: z.output<ReturnType<typeof TermsRequest>>) {
	return {
		type: request.type,
		basisPoints: request.percent,
		amountCents: request.amount_cents,
		currency: request.currency,
		recurringMonths: request.recurring_months,
		holdDays: request.hold_days,
	};
}

function ruleOnWire({ id, version, partnerId, productId, terms: inForce }: CommissionRule) {
	return {
		id,
		version,
		type: inForce.type,
		...(inForce.type === 'percent'
			? { percent: percentOf(inForce.basisPoints) }
			: { amount_cents: inForce.amountCents, currency: inForce.currency }),
		product_id: productId,
		partner_id: partnerId,
		recurring_months: inForce.recurringMonths,
		hold_days: inForce.holdDays,
	};
}
