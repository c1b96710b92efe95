import type { PlantedFault } from './planted-fault.ts';

export const IN_CUSTOMERS: readonly PlantedFault[] = [
	{
		name: 'test click attributes',
		why: 'the test bit of a click id is not looked at',
		edits: [{ file: 'src/customers/find-customer.ts', find: 'click?.isTest && !inTestMode ? undefined : click', replace: 'click' }],
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
				file: 'src/domain/attribution/attribution.ts',
				find: 'if (ofClick && (customerKey === undefined || ofClick.customerKey === null))',
				replace: 'if (ofClick)',
			},
		],
	},
	{
		name: 'click wins over a known key',
		why: 'attribution follows the last click instead of the key',
		edits: [{ file: 'src/domain/attribution/attribution.ts', find: '	if (byKey) {', replace: '	if (byKey && !ofClick) {' }],
	},
	{
		name: 'browser lead takes an unattributed known customer',
		why: 'what a backend may do, anybody may with a click of their own',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: "	if (byKey) return { kind: 'locked', customer: byKey };",
				replace:
					"	if (byKey?.clickId === null && byKey.status !== 'conversion') return { kind: 'known', customer: byKey, newKey: undefined, newClick: click };\n	if (byKey) return { kind: 'locked', customer: byKey };",
			},
		],
	},
	{
		name: 'second browser lead of a click',
		why: 'a further customer of the same click, as the backend may make one',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: '	if (ofClick) {\n		const isNamed',
				replace: '	if (ofClick && (customerKey === undefined || ofClick.customerKey === null)) {\n		const isNamed',
			},
		],
	},
	{
		name: 'naming is a second lead',
		why: 'every call that is taken is thought to record a lead',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: "if (identity.kind === 'known' && firstLead) {",
				replace: 'if (false as boolean) {',
			},
			{ file: 'src/leads/record-lead.ts', find: '		return firstLead;\n', replace: '' },
		],
	},
	{
		name: 'browser e-mail kept for matching',
		why: "someone plants another's address with a click of their own",
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: "lead.email === undefined || source.mode === 'browser' ? []",
				replace: 'lead.email === undefined ? []',
			},
		],
	},
	{
		name: 'e-mail matched in browser mode',
		why: 'someone who knows an address takes over its customer',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: "lead.email === undefined || source.mode === 'browser' ? []",
				replace: 'lead.email === undefined ? []',
			},
			{
				file: 'src/leads/find-lead.ts',
				find: '	firstLead: selectFirstLead(ctx, params.clickId),\n',
				replace: `	firstLead: selectFirstLead(ctx, params.clickId),
				byEmail: params.emailHashes && selectCustomerByEmail(ctx, programIdOfLink(linkIdOf(params)), params.emailHashes),\n`,
			},
			{
				file: 'src/leads/record-lead.ts',
				find: '	const identity = identifyVisitor(evidence);\n',
				replace: `	const [byEmail] = found.byEmail;
				if (byEmail && lead.customerKey !== undefined) return { kind: 'known', customer: byEmail, newKey: lead.customerKey, newClick: undefined };
				const identity = identifyVisitor(evidence);\n`,
			},
		],
	},
	{
		name: 'naming: own work taken for an earlier one',
		why: '400 to the very page that named its visitor, after a lost answer',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: '(naming !== undefined && naming === byKey[0]?.id ? firstLead[0] : undefined)',
				replace: 'undefined',
			},
		],
	},
	{
		name: 'lead said to be attributed',
		why: 'a click that came is taken for one that attributes',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: "if (identity.kind === 'new') return identity.click !== undefined;",
				replace: "if (identity.kind === 'new') return true;",
			},
		],
	},
	{
		name: 'first customer of a click made twice',
		why: 'every customer of a click takes the next number, also the one that the click stands for',
		edits: [{ file: 'src/customers/write-customer.ts', find: 'click.customers === 0 ? 0 : undefined', replace: 'undefined' }],
	},
	{
		name: 'lead: of whoever has its key',
		why: 'the customer whom a batch makes is found again by the key alone, which other programs give too',
		edits: [
			{
				file: 'src/customers/write-customer.ts',
				find: 'sql`program_id = ${programId} AND customer_key = ${of.ofKey}`',
				replace: 'sql`customer_key = ${of.ofKey}`',
			},
		],
	},
	{
		name: 'click of any program attributes',
		why: 'the program of the link is not compared',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: 'click.programId === programId && click.partnerProgramId',
				replace: 'click.partnerProgramId',
			},
		],
	},
	{
		name: 'lead: own work taken for an earlier one',
		why: '400 to the very request that recorded the lead, after a lost answer',
		edits: [{ file: 'src/leads/record-lead.ts', find: 'return own[0] ?? (', replace: 'return own[9] ?? (' }],
	},
	{
		name: 'customers: trigger on revision missing',
		why: 'of a lead and a sale at once, the later overwrites the earlier',
		edits: [
			{
				file: 'migrations/0030_customers_in_fewer_rows.sql',
				find: 'CREATE TRIGGER customers_revised BEFORE UPDATE ON customers WHEN NEW.revision <> OLD.revision + 1 BEGIN',
				replace: 'CREATE TRIGGER customers_revised BEFORE UPDATE ON customers WHEN 0 BEGIN',
			},
		],
	},
	{
		name: 'suspended partner earns',
		why: 'the status of the membership is not asked',
		edits: [{ file: 'src/domain/commissions/commission.ts', find: 'if (!sale.isPartnerActive)', replace: 'if (false as boolean)' }],
	},
];
