import type { PlantedFault } from './planted-fault.ts';

export const IN_CUSTOMERS: readonly PlantedFault[] = [
	{
		name: 'test click attributes',
		why: 'the test bit of a click id is ignored',
		edits: [{ file: 'src/customers/find-customer.ts', find: 'click?.isTest && !inTestMode ? undefined : click', replace: 'click' }],
	},
	{
		name: 'click id not verified',
		why: 'any well-formed id is accepted',
		edits: [{ file: 'src/secrets.ts', find: '=== claimed.mac) return claimed;', replace: '!== -1) return claimed;' }],
	},
	{
		name: 'key bound to the wrong customer',
		why: "a click's customer gets a second key, instead of a new customer",
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
		why: 'attribution follows the last click, not the key',
		edits: [{ file: 'src/domain/attribution/attribution.ts', find: '	if (byKey) {', replace: '	if (byKey && !ofClick) {' }],
	},
	{
		name: 'browser lead attributes a known customer',
		why: 'a page may do what only a backend may do',
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
		why: 'a page creates another customer for a click, as only a backend may',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: '	if (ofClick) {\n		const isNamed',
				replace: '	if (ofClick && (customerKey === undefined || ofClick.customerKey === null)) {\n		const isNamed',
			},
		],
	},
	{
		name: "a page's key for a known visitor is a second lead",
		why: 'every accepted call records a lead',
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
		name: 'browser email kept for matching',
		why: "anyone can plant another person's email with their own click",
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: "lead.email === undefined || source.mode === 'browser' ? []",
				replace: 'lead.email === undefined ? []',
			},
		],
	},
	{
		name: 'email matched in browser mode',
		why: 'anyone who knows an email takes over its customer',
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
		name: "page's key: own write taken for an earlier one",
		why: 'after a lost answer, the page that sent the key gets 400',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: '(naming !== undefined && naming === byKey[0]?.id ? firstLead[0] : undefined)',
				replace: 'undefined',
			},
		],
	},
	{
		name: 'lead reported as attributed',
		why: 'any click counts as attributing',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: "if (identity.kind === 'new') return identity.click !== undefined;",
				replace: "if (identity.kind === 'new') return true;",
			},
		],
	},
	{
		name: 'first customer of a click created twice',
		why: 'every customer of a click takes the next number, even the first',
		edits: [{ file: 'src/customers/write-customer.ts', find: 'click.customers === 0 ? 0 : undefined', replace: 'undefined' }],
	},
	{
		name: "lead: of another program's customer",
		why: 'the batch finds its new customer by key alone, which other programs use too',
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
		why: "the link's program is not compared",
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: 'click.programId === programId && click.partnerProgramId',
				replace: 'click.partnerProgramId',
			},
		],
	},
	{
		name: 'lead: own write taken for an earlier one',
		why: 'after a lost answer, the request that recorded the lead gets 400',
		edits: [{ file: 'src/leads/record-lead.ts', find: 'return own[0] ?? (', replace: 'return own[9] ?? (' }],
	},
	{
		name: 'customers: trigger on revision missing',
		why: 'of a concurrent lead and sale, the later overwrites the earlier',
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
		why: "the membership's status is ignored",
		edits: [{ file: 'src/domain/commissions/commission.ts', find: 'if (!sale.isPartnerActive)', replace: 'if (false as boolean)' }],
	},
];
