import { exports } from 'cloudflare:workers';
import { aPartner, type Funnel, rows } from './funnel.ts';
import { type Hostile, type Route, statusBy, STORED } from './hostile-calls.ts';
import { accept } from './members.ts';
import { invite, tokenOf } from './portal.ts';
import { aProgram, signUp } from './world.ts';

/** Its own owner is also its partner. Calls carry the owner's session and the program key. */
export async function aTarget(): Promise<Funnel> {
	const owner = await signUp();
	const program = await aProgram(owner, { workspace_id: owner.workspaceId, commission: { type: 'percent', percent: 20 } });
	const partner = await aPartner(owner, program.id);
	const invited = await invite({ path: `/api/v1/programs/${program.id}`, owner }, { id: partner.partnerId });
	const { status, text } = await accept({ token: tokenOf(invited.body.data) }, owner);
	if (status !== 201) throw new Error(`Accepting answered ${status}: ${text}`);
	return { ...program, owner, ...partner };
}

export function statusOf(target: Funnel, route: Route, call: Hostile): Promise<number> {
	return statusBy((request) => exports.default.fetch(request), target, route, call);
}

/** How many rows each table has for the target's workspace, and the balances of its partner. */
export async function storedOf({ owner, partnerProgramId }: Funnel): Promise<Record<string, unknown>> {
	const [stored] = await rows(STORED, owner.workspaceId);
	const balances = await rows('SELECT * FROM partner_program_balances WHERE partner_program_id = ?', partnerProgramId);
	return { ...stored, balances };
}
