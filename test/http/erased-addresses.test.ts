import { expect, test } from 'vitest';
import { anOpenShop, apply } from '../support/applications.ts';
import { api, aProgram, signUp, unique } from '../support/world.ts';

test('the placeholder of an erased email address is refused everywhere', async () => {
	const owner = await signUp();
	const [program, shop] = [await aProgram(owner), await anOpenShop(owner)];
	const email = `Erased-${unique('1')}@Erased.invalid`;
	const asked = { token: owner.token };
	const answers = [
		await apply(shop, { email }),
		await api(`/api/v1/programs/${program.id}/partners`, { ...asked, body: { name: 'Pat Partner', email } }),
		await api(`/api/v1/workspaces/${owner.workspaceId}/members`, { ...asked, body: { email, role: 'member' } }),
		await api(`/api/v1/programs/${program.id}/customers/erase`, { ...asked, body: { email } }),
	];
	for (const { status, body } of answers) expect([status, body.error]).toEqual([400, 'email must be an email address']);
});
