import type { PlantedFault } from './planted-fault.ts';

export const IN_CUSTOMERS: readonly PlantedFault[] = [
	{
		name: 'test click attributes',
		why: 'the test bit of a click id is not looked at',
		edits: [{ file: 'src/tracking/find-customer.ts', find: 'click?.isTest && !inTestMode ? undefined : click', replace: 'click' }],
	},
	{
		name: 'click id not verified',
		why: 'whatever is well-formed is believed',
		edits: [{ file: 'src/secrets.ts', find: '=== claimed.mac) return claimed;', replace: '!== -1) return claimed;' }],
	},
	{
		name: 'key bound to the wrong customer',
		why: "a click's customer takes a second key instead of a further customer being made",
		edits: [
			{
				file: 'src/domain/attribution.ts',
				find: 'if (ofClick && (customerKey === undefined || ofClick.customerKey === null))',
				replace: 'if (ofClick)',
			},
		],
	},
	{
		name: 'click wins over a known key',
		why: 'attribution follows the last click instead of the key',
		edits: [{ file: 'src/domain/attribution.ts', find: '	if (byKey) {', replace: '	if (byKey && !ofClick) {' }],
	},
	{
		name: 'e-mail matched in browser mode',
		why: 'someone who knows an address takes over its customer',
		edits: [
			{
				file: 'src/tracking/record-lead.ts',
				find: '	...readsForLead(asking, programIdOfLink(linkIdOf(given)), given),\n',
				replace: `	...readsForLead(asking, programIdOfLink(linkIdOf(given)), given),
				byEmail: selectCustomerByEmail(asking, programIdOfLink(linkIdOf(given)), given.emailHashes),\n`,
			},
			{
				file: 'src/tracking/record-lead.ts',
				find: '	if (identity.click) return identity;\n',
				replace: '	if (identity.click && found.byEmail.length === 0) return identity;\n',
			},
		],
	},
	{
		name: 'click of any program attributes',
		why: 'the program of the link is not compared',
		edits: [
			{
				file: 'src/tracking/find-customer.ts',
				find: 'click.programId === programId && click.partnerProgramId',
				replace: 'click.partnerProgramId',
			},
		],
	},
	{
		name: 'lead: own work taken for an earlier one',
		why: '400 to the very request that recorded the lead, after a lost answer',
		edits: [{ file: 'src/tracking/record-lead.ts', find: 'attempt > 1 ? await findOwnLead(ctx, opId) : undefined', replace: 'undefined' }],
	},
	{
		name: 'customers: trigger on revision missing',
		why: 'of a lead and a sale at once, the later overwrites the earlier',
		edits: [
			{
				file: 'migrations/0001_invariants.sql',
				find: 'CREATE TRIGGER customers_revised BEFORE UPDATE ON customers WHEN NEW.revision <> OLD.revision + 1 BEGIN',
				replace: 'CREATE TRIGGER customers_revised BEFORE UPDATE ON customers WHEN 0 BEGIN',
			},
		],
	},
	{
		name: 'suspended partner earns',
		why: 'the status of the membership is not asked',
		edits: [{ file: 'src/domain/commission.ts', find: 'if (!sale.isPartnerActive)', replace: 'if (false as boolean)' }],
	},
];
