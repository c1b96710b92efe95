import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { postbacks } from '../db/schema/postbacks.ts';
import { isPostbackOf, ownerOf, type Postback, requireFound, requirePostback, selectPostback } from './postback.ts';

/** Only the program can switch it on again. Rejects with 404. */
export async function switchPostback(ctx: Context, program: ManagedProgram, partnerId: number, isOn: boolean): Promise<Postback> {
	const owner = ownerOf(program, partnerId);
	const { id } = await requirePostback(ctx, owner);
	const state = isOn
		? { disabledAt: null, disabledFor: null, failures: 0, failingSince: null, restsUntil: null }
		: { disabledAt: sql`coalesce(${postbacks.disabledAt}, ${ctx.now})`, disabledFor: 'program' as const };
	const { switched } = await write(
		ctx.db,
		[
			ctx.db.update(postbacks).set(state).where(isPostbackOf(owner)),
			auditProgram(ctx, program, {
				action: 'postback.switch',
				subjectId: id,
				detail: { partner_id: partnerId, enabled: isOn },
			}),
		],
		{ switched: selectPostback(ctx, owner) },
	);
	return requireFound(switched);
}
