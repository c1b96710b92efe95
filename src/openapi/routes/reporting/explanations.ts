import {
	ExplainQuery,
	ONE_ID,
	type explanations as explanationRoutes,
	type commissionExplanation as commissionExplanationRoutes,
} from '../../../http/management/reporting/explanations.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf } from '../../answers.ts';
import { invalid, notFound } from '../../errors.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { IdExplanation, SaleExplanation } from './explanation-fields.ts';

export const explanations = [
	...underProgram('Commissions', '/commissions/:commissionId/explanation', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'explainCommission',
			summary: 'Explain a commission',
			description:
				'From the click to the payout: what happened, what the decision was based on, the rule that applied, refunds, ledger entries and the payout, with steps in plain English.',
			params: { commissionId: "The commission's id." },
			answers: {
				200: {
					description: 'The explanation.',
					schema: answerOfRoute<typeof commissionExplanationRoutes, '/', '$get'>()(answerOf(SaleExplanation, 'The explanation.')),
				},
			},
			errors: [notFound('Commission', 'The commission does not exist in this program.')],
			examples: [{ name: 'paid', summary: 'A commission that was paid and then refunded', params: { commissionId: 7 } }],
		},
	]),
	...underProgram('Commissions', '/explain', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'explainId',
			summary: 'Explain what happened to an id',
			description:
				'Why a sale earned what it did, or why there is no commission: it was refused, a payment processor event is waiting, the attribution window had expired, or nobody reported it. Send exactly one of the ids.',
			query: fieldsOf(ExplainQuery, {
				transaction_id: 'The id of a sale or refund, as it was or should have been reported.',
				click_id: 'The id of a click, stored or not: its signature is checked.',
				customer_key: 'Your id of a customer.',
				payment_id: 'Any id of the payment processor: a payment, charge, invoice, checkout, subscription or event.',
			}),
			answers: {
				200: {
					description: 'The explanation.',
					schema: answerOfRoute<typeof explanationRoutes, '/', '$get'>()(answerOf(IdExplanation, 'The explanation.')),
				},
			},
			errors: [invalid(ONE_ID, 'None or several were sent.')],
			examples: [
				{ name: 'sale', summary: 'A sale', query: { transaction_id: 'order-1002' } },
				{ name: 'unknown', summary: 'An id that nobody reported', query: { transaction_id: 'order-0815' } },
				{ name: 'forged', summary: 'An invented click id', query: { click_id: 'cust_1_2' } },
			],
		},
	]),
];
