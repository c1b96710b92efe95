import { env } from 'cloudflare:workers';
import { sha256Hex } from '../../src/secrets.ts';
import { api, type Owner, unique } from './world.ts';

export type Role = 'owner' | 'admin' | 'member';

export interface Invited {
	readonly id: number;
	readonly email: string;
	/** The last part of the link. */
	readonly token: string;
}

/** Creates an invitation through the route, by default for a new address. */
export async function anInvitation(owner: Owner, role: Role = 'member', email = `${unique('guest')}@people.example`): Promise<Invited> {
	const { status, text, body } = await api<{ id: number; invitation_url: string }>(`/api/v1/workspaces/${owner.workspaceId}/members`, {
		token: owner.token,
		body: { email, role },
	});
	if (status !== 201) throw new Error(`Inviting answered ${status}: ${text}`);
	return { id: body.data.id, email, token: body.data.invitation_url.split('/').at(-1) ?? '' };
}

/** What anyone with the link can read. */
export function look({ token }: Pick<Invited, 'token'>) {
	return api(`/api/v1/invitations/${token}`);
}

export function accept({ token }: Pick<Invited, 'token'>, by: Pick<Owner, 'token'>) {
	return api<Joined>(`/api/v1/invitations/${token}/accept`, { method: 'POST', token: by.token });
}

export interface Joined {
	/** A new person's session. */
	readonly token?: string;
	readonly user: { readonly id: number; readonly email: string; readonly name: string };
	readonly workspace: { readonly id: number; readonly name: string; readonly role: Role } | null;
	readonly partner_account: unknown;
}

export async function expire({ token }: Invited): Promise<void> {
	await env.DB.prepare('UPDATE invitations SET expires_at = ? WHERE token_hash = ?')
		.bind(Date.now(), await sha256Hex(token))
		.run();
}

export async function memberIdOf({ workspaceId }: Pick<Owner, 'workspaceId'>, { userId }: Pick<Owner, 'userId'>): Promise<number> {
	const id = await env.DB.prepare('SELECT id FROM members WHERE workspace_id = ? AND user_id = ?')
		.bind(workspaceId, userId)
		.first<number>('id');
	if (id === null) throw new Error('They are not a member');
	return id;
}

export interface ListedMembers {
	readonly members: readonly {
		readonly id: number;
		readonly user: { readonly id: number };
		readonly role: Role;
		readonly active: boolean;
	}[];
	readonly invitations: readonly { readonly id: number; readonly email: string; readonly role: Role }[];
}

export async function membersOf({ workspaceId, token }: Owner): Promise<ListedMembers> {
	return (await api<ListedMembers>(`/api/v1/workspaces/${workspaceId}/members`, { token })).body.data;
}

/** Recent ones, oldest first. */
export async function actionsIn({ workspaceId }: Pick<Owner, 'workspaceId'>): Promise<[action: string, userId: number, detail: unknown][]> {
	const { results } = await env.DB.prepare('SELECT action, user_id, detail FROM audit_entries WHERE workspace_id = ? ORDER BY id')
		.bind(workspaceId)
		.all<{ action: string; user_id: number; detail: string }>();
	return results.map(({ action, user_id: userId, detail }) => [action, userId, JSON.parse(detail)]);
}
