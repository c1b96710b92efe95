import type { PlantedFault } from './planted-fault.ts';

export const IN_PORTAL: readonly PlantedFault[] = [
	{
		name: 'a partner sees the commissions of others',
		why: 'the list has no condition for the partner',
		edits: [
			{
				file: 'src/commissions/own-commission.ts',
				find: '.where(and(eq(commissions.partnerProgramId, id), ...conditions))',
				replace: '.where(and(...conditions))',
			},
		],
	},
	{
		name: 'every signed-in partner is every partner',
		why: 'it checks that someone has accepted, but not who',
		edits: [
			{
				file: 'src/accounts/partner-membership.ts',
				find: 'eq(partners.userId, sessions.userId)',
				replace: 'isNotNull(partners.userId)',
			},
			{
				file: 'src/accounts/partner-membership.ts',
				find: "import { and, eq } from 'drizzle-orm';",
				replace: "import { and, eq, isNotNull } from 'drizzle-orm';",
			},
		],
	},
	{
		name: 'a partner loses what a former membership brought',
		why: "only the membership's current links are read",
		edits: [
			{
				file: 'src/reporting/filtered-rows.ts',
				find: 'WHERE former_partner_program_id = ${membershipId} AND partner_program_id IS NULL',
				replace: 'WHERE false',
			},
		],
	},
	{
		name: "partners' reports leave out waiting deltas",
		why: 'only the daily rows are read',
		edits: [
			{
				file: 'src/reporting/read-partner-performance.ts',
				find: 'o.referral_link_id IN (SELECT id FROM links)',
				replace: 'o.referral_link_id IS NULL',
			},
		],
	},
	{
		name: 'an accepted invitation works again',
		why: 'neither the link nor the partner is checked for an earlier acceptance',
		edits: [
			{
				file: 'migrations/0033_invitations_end_once.sql',
				find: 'OLD.accepted_at IS NOT NULL OR ',
				replace: '',
			},
			{
				file: 'migrations/0036_partners_are_one_persons.sql',
				find: 'OLD.user_id IS NOT NULL AND NEW.user_id IS NOT NULL',
				replace: 'false',
			},
		],
	},
];
