import { createCipheriv, createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { PROCESSORS, type ProcessorName } from './account.ts';
import { seedRules } from './seed-rules.ts';

// The world at the start of every history.

export const SECRET = 'simulation-secret-0001';
export const START = Date.UTC(2026, 2, 29, 22, 0, 0);
/** A request's effects have the time of its start, so they may appear this much later. */
export const LONGEST_REQUEST_MS = 30_000;
const DAY_MS = 86_400_000;
/** Low enough that the limit is sometimes reached. */
export const SOURCES_PER_DAY = 2;

export interface World {
	readonly programs: readonly Program[];
	readonly links: readonly Link[];
	readonly coupons: readonly Readonly<{ id: number; programId: number; partnerProgramId: number; code: string }>[];
	readonly memberships: readonly Membership[];
	/** Application forms, and whether they approve applications automatically. */
	readonly forms: readonly (readonly [programId: number, slug: string, mode: 'by_approval' | 'automatic'])[];
	/** Each with its program. */
	readonly groups: readonly (readonly [id: number, programId: number])[];
}

export interface Program {
	readonly id: number;
	readonly workspaceId: number;
	readonly ownerId: number;
	readonly currency: string;
	readonly timeZone: string;
	readonly windowDays: number;
	readonly keyHash: string;
	readonly serverLeadsOnly: boolean;
	/** Whether a sale's amount from a processor includes tax. */
	readonly amountBasis: 'net' | 'gross';
	readonly renewalsFollowCheckout: boolean;
	readonly rulesByLine: boolean;
}

export interface Link {
	readonly id: number;
	readonly shortLink: string;
	readonly programId: number | null;
	readonly partnerProgramId: number | null;
	readonly isArchived: boolean;
}

export interface Membership {
	readonly id: number;
	readonly programId: number;
	readonly partnerId: number;
	readonly groupId?: number;
}

export const WORLD: World = {
	programs: [
		{
			id: 1,
			workspaceId: 1,
			ownerId: 1,
			currency: 'USD',
			timeZone: 'UTC',
			windowDays: 30,
			keyHash: 'key-of-program-1',
			serverLeadsOnly: false,
			amountBasis: 'net',
			renewalsFollowCheckout: false,
			rulesByLine: true,
		},
		{
			id: 2,
			workspaceId: 1,
			ownerId: 1,
			currency: 'EUR',
			timeZone: 'America/New_York',
			windowDays: 7,
			keyHash: 'key-of-program-2',
			serverLeadsOnly: true,
			amountBasis: 'gross',
			renewalsFollowCheckout: true,
			rulesByLine: false,
		},
		{
			id: 3,
			workspaceId: 2,
			ownerId: 2,
			currency: 'USD',
			timeZone: 'UTC',
			windowDays: 60,
			keyHash: 'key-of-program-3',
			serverLeadsOnly: false,
			amountBasis: 'net',
			renewalsFollowCheckout: true,
			rulesByLine: true,
		},
	],
	forms: [
		[1, 'program-one', 'by_approval'],
		[2, 'program-two', 'automatic'],
		[3, 'program-three', 'automatic'],
	],
	groups: [
		[1, 1],
		[2, 1],
		[3, 2],
	],
	memberships: [
		{ id: 1, programId: 1, partnerId: 1 },
		{ id: 2, programId: 1, partnerId: 2, groupId: 1 },
		{ id: 3, programId: 1, partnerId: 3, groupId: 1 },
		{ id: 4, programId: 2, partnerId: 1 },
		{ id: 5, programId: 3, partnerId: 4 },
	],
	links: [
		{ id: 1, shortLink: 'ann', programId: 1, partnerProgramId: 1, isArchived: false },
		{ id: 2, shortLink: 'ben', programId: 1, partnerProgramId: 2, isArchived: false },
		{ id: 3, shortLink: 'cat', programId: 1, partnerProgramId: 3, isArchived: false },
		{ id: 4, shortLink: 'ann-eu', programId: 2, partnerProgramId: 4, isArchived: false },
		{ id: 5, shortLink: 'dan', programId: 3, partnerProgramId: 5, isArchived: false },
		{ id: 6, shortLink: 'old', programId: 1, partnerProgramId: 1, isArchived: true },
		{ id: 7, shortLink: 'nobody', programId: 1, partnerProgramId: null, isArchived: false },
	],
	coupons: [
		{ id: 1, programId: 1, partnerProgramId: 1, code: 'ANN' },
		{ id: 2, programId: 1, partnerProgramId: 2, code: 'BEN' },
		{ id: 3, programId: 2, partnerProgramId: 4, code: 'ANN' },
	],
};

/** The first one is partner 1 from the start. */
export const PARTNER_PEOPLE = [4, 5] as const;

export function secretOf({ id }: Program, processor: ProcessorName, isTest = false): string {
	const mode = isTest ? 'test' : 'live';
	return {
		stripe: `whsec_of_program_${id}`,
		custom: `whsec_${Buffer.from(`the secret key of program ${id}`).toString('base64')}`,
		paddle: `pdl_ntfset_of_program_${id}_${mode}`,
	}[processor];
}

export function sessionOf({ ownerId }: Program): string {
	return sessionOfUser(ownerId);
}

export function sessionOfUser(userId: number): string {
	return `session-of-user-${userId}`;
}

export const PRODUCTS = ['pro', 'gift', 'other'] as const;

export function seedWorld(sqlite: DatabaseSync): void {
	const insert = (table: string, row: Record<string, string | number | null>) => {
		const names = Object.keys(row);
		sqlite.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(...Object.values(row));
	};
	const created_at = START - 400 * DAY_MS;
	for (const id of [1, 2, 3, ...PARTNER_PEOPLE]) {
		insert('users', { id, email: `user${id}@example.com`, name: `User ${id}`, password_hash: '-', created_at });
	}
	for (const id of [1, 2, ...PARTNER_PEOPLE]) {
		const token_hash = sessionOfUser(id);
		insert('sessions', { token_hash, user_id: id, created_at, expires_at: START + 4000 * DAY_MS });
	}
	for (const id of [1, 2]) insert('workspaces', { id, name: `Workspace ${id}`, created_at });
	insert('members', { workspace_id: 1, user_id: 1, role: 'owner', created_at });
	insert('members', { workspace_id: 1, user_id: 3, role: 'member', created_at });
	insert('members', { workspace_id: 2, user_id: 2, role: 'owner', created_at });
	for (const program of WORLD.programs) {
		insert('programs', {
			id: program.id,
			workspace_id: program.workspaceId,
			name: `Program ${program.id}`,
			currency: program.currency,
			cookie_window_days: program.windowDays,
			time_zone: program.timeZone,
			active: 1,
			server_leads_only: program.serverLeadsOnly ? 1 : 0,
			renewals_follow_checkout: program.renewalsFollowCheckout ? 1 : 0,
			coupon_wins: program.id === 2 ? 1 : 0,
			rules_by_line: program.rulesByLine ? 1 : 0,
			keep_emails: program.id === 1 ? 1 : 0,
			created_at,
		});
		insert('program_keys', { program_id: program.id, token_hash: program.keyHash, prefix: 'prg_', sealed_token: '-', created_at });
		for (const processor of PROCESSORS) {
			insert('processor_endpoints', {
				program_id: program.id,
				processor,
				sealed_secrets: JSON.stringify(sealedSecrets(program, processor)),
				amount_basis: program.amountBasis,
				created_at,
				updated_at: created_at,
			});
		}
	}
	for (const [id, programId] of WORLD.groups) {
		insert('partner_groups', { id, program_id: programId, name: `Group ${id}`, name_key: `group ${id}`, created_at });
	}
	for (const [program_id, slug, mode] of WORLD.forms) insert('application_forms', { program_id, slug, mode, terms_version: 0 });
	for (const id of [1, 2, 3, 4]) {
		insert('partners', {
			id,
			workspace_id: id === 4 ? 2 : 1,
			name: `Partner ${id}`,
			email: `partner${id}@example.com`,
			user_id: id === 1 ? PARTNER_PEOPLE[0] : null,
			created_at,
		});
	}
	for (const { id, programId, partnerId, groupId } of WORLD.memberships) {
		insert('partner_programs', {
			id,
			program_id: programId,
			partner_id: partnerId,
			status: 'active',
			created_at,
			group_id: groupId ?? null,
		});
	}
	for (const { id, programId, partnerProgramId, code } of WORLD.coupons) {
		insert('coupons', { id, program_id: programId, partner_program_id: partnerProgramId, code, created_at });
	}
	for (const link of WORLD.links) {
		insert('referral_links', {
			id: link.id,
			program_id: link.programId,
			partner_program_id: link.partnerProgramId,
			short_link: link.shortLink,
			created_at,
			archived_at: link.isArchived ? created_at : null,
		});
	}
	seedRules(insert, created_at);
}

/** Paddle's events do not say whether they are live or test, so each mode has its own secret. */
function sealedSecrets(program: Program, processor: ProcessorName) {
	if (processor !== 'paddle') return [sealed(secretOf(program, processor))];
	return [false, true].map((isTest) => ({ sealed: sealed(secretOf(program, processor, isTest)), isTest }));
}

/** Encrypts like src/secrets.ts: AES-GCM with the Worker's secret, as base64 of nonce, ciphertext and tag. */
function sealed(text: string): string {
	const nonce = Buffer.alloc(12, 7);
	const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(`seal\n${SECRET}`).digest(), nonce);
	return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64');
}
