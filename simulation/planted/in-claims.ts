import type { PlantedFault } from './planted-fault.ts';

export const IN_CLAIMS: readonly PlantedFault[] = [
	{
		name: 'claim: never settled',
		why: 'a known key wins, whoever sent it',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: "if (!claimant?.keyFromPage || claimant.status === 'conversion' || !click) return undefined;",
				replace: "if (!claimant?.keyFromPage || claimant.status !== 'click' || !click) return undefined;",
			},
		],
	},
	{
		name: 'claim: moves a key that has a sale',
		why: 'it does not check whether the customer has bought',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: "if (!claimant?.keyFromPage || claimant.status === 'conversion' || !click)",
				replace: 'if (!claimant?.keyFromPage || !click)',
			},
			{
				file: 'migrations/0075_keys_stay.sql',
				find: "AND NOT (OLD.key_from_page = 1 AND NEW.customer_key IS NULL AND OLD.status <> 'conversion' AND NEW.status <> 'conversion')",
				replace: 'AND NOT (OLD.key_from_page = 1 AND NEW.customer_key IS NULL)',
			},
		],
	},
	{
		name: 'claim: no key is marked',
		why: 'a key is a key, whoever sent it',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: 'keyFromPage: isPage && lead.customerKey !== undefined ? true : undefined,',
				replace: 'keyFromPage: undefined,',
			},
		],
	},
	{
		name: 'claim: a key for a known visitor is not marked',
		why: 'only new customers are considered',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: 'keyFromPage: isPage && lead.customerKey !== undefined ? true : undefined,',
				replace: "keyFromPage: isPage && identity.kind === 'new' && lead.customerKey !== undefined ? true : undefined,",
			},
		],
	},
	{
		name: 'claim: keys of backends are marked too',
		why: 'every new key is marked',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: 'keyFromPage: isPage && lead.customerKey !== undefined ? true : undefined,',
				replace: 'keyFromPage: lead.customerKey === undefined ? undefined : true,',
			},
		],
	},
	{
		name: 'claim: a page confirms a key',
		why: 'any source with a click is trusted',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: "return source.mode === 'server' || (source.mode === 'processor' && source.settlesClaims === true);",
				replace: "return source.mode !== 'processor' || source.settlesClaims === true;",
			},
		],
	},
	{
		name: 'claim: the same click moves the key',
		why: 'the key moves from its customer to a new one',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: "if (click.clickId === claimant.clickId) return { kind: 'confirmed', claimant };",
				replace: '',
			},
		],
	},
	{
		name: 'claim: confirmed but still marked',
		why: 'the answer is correct, but nothing is written',
		edits: [
			{ file: 'src/leads/record-lead.ts', find: "if (claim?.kind === 'confirmed') await confirmKey(ctx, claim.claimant);", replace: '' },
		],
	},
	{
		name: 'claim: the lead event keeps the key',
		why: "an erase by the key finds another person's event and their click",
		edits: [{ file: 'src/leads/settle-claim.ts', find: ', removeKeyOfLead(ctx, { id, programId })', replace: '' }],
	},
	{
		name: 'claim: the webhook keeps the key',
		why: "an erase by the key does not search other customers' deliveries",
		edits: [{ file: 'src/leads/settle-claim.ts', find: ', removeKeyOfDeliveries(ctx, { id })', replace: '' }],
	},
	{
		name: 'claim: the email stays',
		why: "the email from the page may belong to the key's real owner",
		edits: [
			{
				file: 'src/leads/settle-claim.ts',
				find: 'customer_key = NULL, email = NULL, key_from_page = 0',
				replace: 'customer_key = NULL, key_from_page = 0',
			},
		],
	},
	{
		name: 'claim: a sale moves it',
		why: 'a sale may do what a lead may do',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: '	const { byKey, click, ofClick, customerKey } = evidence;\n	if (byKey) {\n',
				replace:
					"	const { byKey, click, ofClick, customerKey } = evidence;\n	if (byKey && !(click && (byKey as { keyFromPage?: boolean }).keyFromPage && byKey.status !== 'conversion' && click.clickId !== byKey.clickId)) {\n",
			},
		],
	},
];
