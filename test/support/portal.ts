import { accept } from './members.ts';
import { aPartner, type Shop, type TestPartner } from './ledger.ts';
import { api, type Owner, signUp } from './world.ts';

export interface SignedInPartner extends TestPartner {
	readonly token: string;
	readonly person: Owner;
	/** `/api/v1/partner-programs/...` */
	readonly own: string;
}

export function tokenOf(partner: { readonly invitation_url: string | null }): string {
	return partner.invitation_url?.split('/').at(-1) ?? '';
}

/** A partner of the shop with an account, by default a new person's. */
export async function aSignedInPartner(shop: Shop, fields: Record<string, unknown> = {}, person?: Owner): Promise<SignedInPartner> {
	return signedIn(await aPartner(shop, fields), person);
}

export async function signedIn(partner: TestPartner, accepting?: Owner): Promise<SignedInPartner> {
	const person = accepting ?? (await signUp());
	const { status, text } = await accept({ token: tokenOf(partner) }, person);
	if (status !== 201) throw new Error(`Accepting answered ${status}: ${text}`);
	return { ...partner, token: person.token, person, own: `/api/v1/partner-programs/${partner.partner_program_id}` };
}

export function invite(shop: Pick<Shop, 'path' | 'owner'>, { id }: Pick<TestPartner, 'id'>, by: Pick<Owner, 'token'> = shop.owner) {
	return api<{ invitation_url: string; email: string }>(`${shop.path}/partners/${id}/invitation`, { method: 'POST', token: by.token });
}

export function detach(shop: Shop, { id }: Pick<TestPartner, 'id'>, by: Pick<Owner, 'token' | 'password'> = shop.owner) {
	return api<TestPartner>(`${shop.path}/partners/${id}/person`, { method: 'DELETE', token: by.token, body: { password: by.password } });
}
