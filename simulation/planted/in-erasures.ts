import type { PlantedFault } from './planted-fault.ts';

export const IN_ERASURES: readonly PlantedFault[] = [
	{
		name: 'an erase forgets the clicks',
		why: 'only the customer is considered',
		edits: [
			{
				file: 'src/privacy/erased-rows.ts',
				find: 'WHERE c.click_id IN (SELECT value ->> 0 FROM json_each(${JSON.stringify(pseudonyms)})) AND +c.program_id = ${programId}`',
				replace: 'WHERE false AND c.program_id = ${programId}`',
			},
		],
	},
	{
		name: "an erase changes a sale's amount",
		why: 'a sale without a customer is worth nothing',
		edits: [
			{
				file: 'src/privacy/erase-customer.ts',
				find: 'UPDATE affiliate_sale_events SET line_items = NULL,',
				replace: 'UPDATE affiliate_sale_events SET amount_cents = 1, line_items = NULL,',
			},
		],
	},
	{
		name: "an erase removes a click's country",
		why: 'the country is considered personal',
		edits: [
			{
				file: 'src/privacy/erased-rows.ts',
				find: 'page_url = NULL, page_title = NULL,',
				replace: 'country = NULL, page_url = NULL, page_title = NULL,',
			},
		],
	},
	{
		name: 'an erased key returns',
		why: 'a person who comes back is a new customer',
		edits: [
			{
				file: 'src/customers/erased-ids.ts',
				find: 'iif(${isOneErased(programId, hashes)}, NULL, ${value})',
				replace: 'iif(${isOneErased(programId, hashes)}, ${value}, ${value})',
			},
		],
	},
	{
		name: 'an erase covers everyone with the same click',
		why: 'one device is considered one person',
		edits: [
			{
				file: 'src/privacy/person.ts',
				find: 'c.click_id = o.click_id AND c.customer_key IS NULL',
				replace: 'c.click_id = o.click_id',
			},
		],
	},
	{
		name: 'an erased click that is delivered again is stored again',
		why: 'its id is unknown',
		edits: [
			{
				file: 'src/privacy/erased-rows.ts',
				find: 'UPDATE erased_ids SET click_stored = 1 WHERE program_id = ${programId}',
				replace: 'UPDATE erased_ids SET click_stored = 1 WHERE false AND program_id = ${programId}',
			},
		],
	},
	{
		name: "an erase leaves the leads' click ids",
		why: 'only keys are erased',
		edits: [
			{
				file: 'src/privacy/erase-rows.ts',
				find: 'UPDATE affiliate_lead_events SET click_id = NULL, customer_key = NULL WHERE id IN ${ids}',
				replace: 'UPDATE affiliate_lead_events SET customer_key = NULL WHERE id IN ${ids}',
			},
		],
	},
	{
		name: 'an erase leaves what a processor reported of the subscription',
		why: 'a subscription id belongs to Stripe',
		edits: [
			{
				file: 'src/privacy/erased-rows.ts',
				find: 'DELETE FROM processor_bindings WHERE program_id = ${programId}',
				replace: 'DELETE FROM processor_bindings WHERE false AND program_id = ${programId}',
			},
		],
	},
];
