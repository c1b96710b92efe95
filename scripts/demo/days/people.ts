import { type Fields, fieldOf, fieldsIn, type ServiceClient } from './service-client.ts';
import type { Shop } from './shop.ts';
import { at, type Stage } from './stage.ts';

export const OWNER = { name: 'Mara Ellersby', email: 'mara@northwind.example' } as const;
const ADMIN = { name: 'Devin Aldercott', email: 'devin@northwind.example', role: 'admin' } as const;
const MEMBER = { name: 'Sunniva Parkhurst', email: 'sunniva@northwind.example', role: 'member' } as const;
const LEAVER = { name: 'Otto Lindegaard', email: 'otto@northwind.example', role: 'admin' } as const;

/** Creates the owner and the workspace. Returns the owner's session and the workspace's id. */
export async function openWorkspace(
	client: ServiceClient,
	password: string,
): Promise<{ readonly session: string; readonly workspaceId: number }> {
	const { token, workspace } = await client.dataOf('/api/v1/auth/sign-up', {
		body: { ...OWNER, password, workspace_name: 'Northwind Coffee' },
		network: 1,
	});
	return { session: String(token), workspaceId: Number(fieldOf(workspace, 'id')) };
}

/** Plans members joining and leaving, and new sign-ins, because sessions end after 30 days. */
export function planPeople(stage: Stage, workspaceId: number, shops: readonly Shop[]): void {
	const { agenda, client, password } = stage;
	const [shop] = shops;
	if (!shop) return;
	const workspace = `/api/v1/workspaces/${workspaceId}`;
	const invite = (email: string, role: string) =>
		client.dataOf(`${workspace}/members`, { token: shop.session, network: 1, body: { email, role } });
	const join = async ({ name, email, role }: typeof ADMIN | typeof MEMBER | typeof LEAVER, network: number) => {
		const { invitation_url: url } = await invite(email, role);
		const { token } = await accept(client, String(url), { name, password }, network);
		return String(token);
	};
	const appoint = (deputy: string) => {
		for (const each of shops) each.deputy = deputy;
	};
	const deactivate = async (email: string) => {
		const { members } = await client.dataOf(`${workspace}/members`, { token: shop.session });
		const found = fieldsIn(members).find(({ user }) => fieldOf(user, 'email') === email);
		const path = `${workspace}/members/${Number(found?.['id'])}`;
		await client.dataOf(path, { method: 'PATCH', token: shop.session, network: 1, body: { active: false } });
	};
	agenda.add(at(stage, 0, 10, 5), async () => appoint(await join(ADMIN, 2)));
	for (const day of [26, 55, 80]) agenda.add(at(stage, day, 9, 3), async () => appoint(await signIn(client, ADMIN.email, password, 2)));
	agenda.add(at(stage, 3, 14, 20), () => join(LEAVER, 3));
	agenda.add(at(stage, 17, 9, 40), () => join(MEMBER, 4));
	agenda.add(at(stage, 58, 16, 45), () => deactivate(LEAVER.email));
	agenda.add(at(stage, 72, 11), () => invite('press@northwind.example', 'member'));
	agenda.add(at(stage, 87, 15, 30), () => invite('finance@northwind.example', 'admin'));
	for (const day of [29, 58, 87]) {
		agenda.add(at(stage, day, 8, 12), async () => {
			const session = await signIn(client, OWNER.email, password, 1);
			for (const each of shops) each.session = session;
		});
	}
}

export async function signIn(client: ServiceClient, email: string, password: string, network: number): Promise<string> {
	const { token } = await client.dataOf('/api/v1/auth/sign-in', { body: { email, password }, network });
	return String(token);
}

/** Accepts an invitation. Returns the session and the workspace or program that was joined. */
export function accept(client: ServiceClient, url: string, person: Fields, network: number): Promise<Fields> {
	return client.dataOf(`${new URL(url).pathname}/accept`, { body: person, network });
}
