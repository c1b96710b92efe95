import { aShop, type Shop, type TestPartner } from './ledger.ts';
import { api, type Owner, unique } from './world.ts';

export interface Application {
	readonly id: number;
	readonly email: string;
	readonly status: string;
	readonly partner_id: number | null;
	readonly terms_version: number | null;
}

export interface Approved extends TestPartner {
	readonly application_id: number;
	readonly invitation_url: string | null;
	readonly accepted: boolean;
}

export interface OpenShop extends Shop {
	readonly slug: string;
}

export const changeForm = (of: Shop, body: object) =>
	api<{ slug: string; applications: string; terms: { version: number; text: string } | null }>(`${of.path}/application-form`, {
		method: 'PATCH',
		token: of.owner.token,
		body,
	});

export async function anOpenShop(owner: Owner, fields: object = {}): Promise<OpenShop> {
	const own = await aShop(owner);
	const { status, text, body } = await changeForm(own, { applications: 'by_approval', slug: unique('shop'), ...fields });
	if (status !== 200) throw new Error(`Opening answered ${status}: ${text}`);
	return { ...own, slug: body.data.slug };
}

/** Applies from a new client address, because each address is rate-limited. */
export const apply = ({ slug }: { slug: string }, fields: Record<string, unknown> = {}, token?: string) =>
	api(`/api/v1/public/programs/${slug}/applications`, {
		...(token ? { token } : {}),
		body: { name: 'Ines', email: `${unique('ines')}@blog.example`, ...fields },
		headers: { 'CF-Connecting-IP': `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1` },
	});

export const listed = async (of: Shop, search = '') =>
	(await api<Application[]>(`${of.path}/applications${search}`, { token: of.owner.token })).body.data;

export async function anApplication(of: OpenShop, fields: Record<string, unknown> = {}, token?: string): Promise<Application> {
	const { status, text } = await apply(of, fields, token);
	const [newest] = await listed(of, '?limit=1');
	if (status !== 202 || !newest) throw new Error(`Applying answered ${status}: ${text}`);
	return newest;
}

export const decide = <Data = Approved>(of: Shop, verb: string, body?: object) =>
	api<Data>(`${of.path}/applications/${verb}`, { method: 'POST', token: of.owner.token, ...(body ? { body } : {}) });

export const page = ({ slug }: { slug: string }) => api<Record<string, unknown>>(`/api/v1/public/programs/${slug}`);
