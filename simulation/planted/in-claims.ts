import type { PlantedFault } from './planted-fault.ts';

/** Faults in the handling of keys that only a page has claimed. */
export const IN_CLAIMS: readonly PlantedFault[] = [
	{
		name: 'claim: never settled',
		why: 'a known key wins, whoever brought it',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: "if (!claimant?.keyFromPage || claimant.status === 'conversion' || !click) return undefined;",
				replace: "if (!claimant?.keyFromPage || claimant.status !== 'click' || !click) return undefined;",
			},
		],
	},
	{
		name: 'claim: moves what was sold',
		why: 'whether the customer has bought is not asked',
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
		why: 'a key is a key, whoever brought it',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: 'keyFromPage: isPage && lead.customerKey !== undefined ? true : undefined,',
				replace: 'keyFromPage: undefined,',
			},
		],
	},
	{
		name: 'claim: a naming is none',
		why: 'only the customers whom a page makes are thought of',
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
		why: 'the mark is set with any new key',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: 'keyFromPage: isPage && lead.customerKey !== undefined ? true : undefined,',
				replace: 'keyFromPage: lead.customerKey === undefined ? undefined : true,',
			},
		],
	},
	{
		name: 'claim: a page settles it',
		why: 'whoever brings a click is believed',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: "return source.mode === 'server' || (source.mode === 'processor' && source.settlesClaims === true);",
				replace: "return source.mode !== 'processor' || source.settlesClaims === true;",
			},
		],
	},
	{
		name: 'claim: the same click moves it',
		why: 'the key is taken from its customer to be given to a further one',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: "if (click.clickId === claimant.clickId) return { kind: 'confirmed', claimant };",
				replace: '',
			},
		],
	},
	{
		name: 'claim: confirmed and still marked',
		why: 'the answer is that of always, and nothing is written',
		edits: [
			{ file: 'src/leads/record-lead.ts', find: "if (claim?.kind === 'confirmed') await confirmKey(ctx, claim.claimant);", replace: '' },
		],
	},
	{
		name: 'claim: the lead event keeps the key',
		why: 'an erase by the key finds an event of somebody else, and goes on to their click',
		edits: [{ file: 'src/leads/settle-claim.ts', find: ', removeKeyOfLead(ctx, { id, programId })', replace: '' }],
	},
	{
		name: 'claim: the webhook keeps the key',
		why: 'an erase by the key does not look at the deliveries of other customers',
		edits: [{ file: 'src/leads/settle-claim.ts', find: ', removeKeyOfDeliveries(ctx, { id })', replace: '' }],
	},
	{
		name: 'claim: the address stays',
		why: "what the page typed may be the address of the key's owner",
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
		why: 'what a lead may settle, a sale is thought to settle too',
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
