import { Hono } from 'hono';
import * as z from 'zod/mini';
import { NO_COMMISSION } from '../../../domain/commissions/commission.ts';
import { isoOf } from '../../../domain/instant.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import type { Terms } from '../../../domain/commissions/terms.ts';
import { once } from '../../../once.ts';
import { Parsed } from '../../../parsed.ts';
import { archiveCommissionRule } from '../../../programs/archive-commission-rule.ts';
import { changeCommissionRule } from '../../../programs/change-commission-rule.ts';
import type { CommissionRule } from '../../../programs/commission-rule.ts';
import { createCommissionRule } from '../../../programs/create-commission-rule.ts';
import { dryRunRules, type ImaginedEarning } from '../../../programs/dry-run-rules.ts';
import { listCommissionRules } from '../../../programs/list-commission-rules.ts';
import { previewRulesByLine, type RulesByLinePreview } from '../../../programs/preview-rules-by-line.ts';
import { listRuleVersions } from '../../../programs/list-rule-versions.ts';
import type { AppEnv } from '../../app-env.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { Currency, Id, Identifier, Percent, percentOf, QueryId, Strict, Whole } from '../../fields.ts';
import { body, noQuery, params, query } from '../../validate.ts';
import { requireProgram } from '../session.ts';

const terms = once(() => ({
	type: z.optional(z.enum(['percent', 'flat'], 'must be "percent" or "flat"')),
	percent: z.optional(Percent()),
	amount_cents: z.optional(Whole(0, MAX_AMOUNT_CENTS)),
	currency: z.optional(Currency()),
	recurring_months: z.nullish(Whole(0, 1_200)),
	hold_days: z.optional(Whole(0, 3_650)),
}));

/** The rule's current terms decide which fields are required. */
export const TermsRequest = once(() => Strict(terms()));

export const RuleRequest = once(() =>
	Strict({ ...terms(), product_id: z.nullish(Identifier()), partner_id: z.nullish(Id()), group_id: z.nullish(Id()) }),
);

const SCOPE = 'cannot change. Archive this rule and create another one';
export const RuleChange = once(() =>
	Strict({
		...terms(),
		product_id: z.optional(z.never(SCOPE)),
		partner_id: z.optional(z.never(SCOPE)),
		group_id: z.optional(z.never(SCOPE)),
	}),
);

const AMOUNT = `must be an integer from 1 to ${MAX_AMOUNT_CENTS}`;

export const DryRunQuery = once(() =>
	z.object({
		amount_cents: Parsed(AMOUNT, (text) => (/^[1-9]\d{0,10}$/.test(text) ? Number(text) : undefined)),
		currency: z.optional(Currency()),
		partner_id: z.optional(QueryId()),
		group_id: z.optional(QueryId()),
		product_id: z.optional(Identifier()),
	}),
);

/** Under /programs/:id/commission-rules. */
export const commissionRules = new Hono<AppEnv>()
	.get('/', requireProgram('member'), query(PageQuery), async (c) => {
		const { ctx, program } = c.var;
		const page = await listCommissionRules(ctx, program.id, c.req.valid('query'));
		const data = page.rows.map((rule) => ({ ...ruleOnWire(rule), partner: rule.partner, group: rule.group }));
		return c.json({ success: true, data, meta: metaOf(page) });
	})
	.post('/', requireProgram('admin'), body(RuleRequest), async (c) => {
		const { ctx, program } = c.var;
		const request = c.req.valid('json');
		const { partner_id: partnerId = null, group_id: groupId = null, product_id: productId = null } = request;
		const rule = await createCommissionRule(ctx, program, { partnerId, groupId, productId }, toTerms(request));
		return c.json({ success: true, data: ruleOnWire(rule) }, 201);
	})
	.get('/dry-run', requireProgram('member'), query(DryRunQuery), async (c) => {
		const { ctx, program } = c.var;
		const sent = c.req.valid('query');
		const { amount_cents: amountCents, currency, partner_id: partnerId, group_id: groupId, product_id: productId } = sent;
		const imagined = await dryRunRules(ctx, program, { amountCents, currency, partnerId, groupId, productId });
		return c.json({ success: true, data: dryRunOnWire(imagined) });
	})
	.get('/by-line', requireProgram('member'), noQuery, async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: previewOnWire(await previewRulesByLine(ctx, program)) });
	})
	.get('/:ruleId/versions', requireProgram('member'), params(['ruleId']), query(PageQuery), async (c) => {
		const { ctx, program } = c.var;
		const page = await listRuleVersions(ctx, program.id, { ...c.req.valid('param'), ...c.req.valid('query') });
		const data = page.rows.map(({ version, terms: ofVersion, createdAt }) => ({
			version,
			...termsOnWire(ofVersion),
			created_at: isoOf(createdAt),
		}));
		return c.json({ success: true, data, meta: metaOf(page) });
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

export function ruleOnWire({ id, version, partnerId, groupId, productId, terms: inForce }: CommissionRule) {
	return { id, version, ...termsOnWire(inForce), product_id: productId, partner_id: partnerId, group_id: groupId };
}

export function termsOnWire(ruleTerms: Terms) {
	return {
		...(ruleTerms.type === 'percent'
			? { type: ruleTerms.type, percent: percentOf(ruleTerms.basisPoints) }
			: { type: ruleTerms.type, amount_cents: ruleTerms.amountCents, currency: ruleTerms.currency }),
		recurring_months: ruleTerms.recurringMonths,
		hold_days: ruleTerms.holdDays,
	};
}

function dryRunOnWire({ currency, earned, reason }: ImaginedEarning) {
	return {
		currency,
		rule: earned ? ruleOnWire(earned.rule) : null,
		commission: earned ? { amount_cents: earned.amountCents, status: earned.status } : null,
		reason: reason === undefined ? null : NO_COMMISSION[reason],
	};
}

function previewOnWire({ from, salesRead, isComplete, carts, changed, totals, examples }: RulesByLinePreview) {
	return {
		from: isoOf(from),
		sales_read: salesRead,
		complete: isComplete,
		carts,
		changed,
		totals: totals.map(({ currency, wholeCents, byLineCents }) => ({ currency, whole_cents: wholeCents, by_line_cents: byLineCents })),
		examples: examples.map((sale) => ({
			sale_id: sale.id,
			transaction_id: sale.transactionId,
			created_at: isoOf(sale.createdAt),
			currency: sale.currency,
			amount_cents: sale.amountCents,
			whole_cents: sale.wholeCents,
			by_line_cents: sale.byLineCents,
		})),
	};
}
