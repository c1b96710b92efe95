import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { sessions, workspaces } from '../db/schema/accounts.ts';
import { partners } from '../db/schema/partners.ts';
import { actorOf, selectActor } from './session.ts';

/** A partner whose invitation the signed-in person accepted. */
export type OwnPartner = NonNullable<Awaited<ReturnType<typeof findOwnPartner>>>;

/** Finds the partner if the session's user is that partner. One round trip. Rejects with 401. */
export async function findOwnPartner(ctx: Context, tokenHash: string, address: string | null, partnerId: number | undefined) {
	const found = await read(ctx.db, {
		users: selectActor(ctx, tokenHash),
		partners: ctx.db
			.select({ id: partners.id, workspaceId: workspaces.id, workspaceName: workspaces.name })
			.from(sessions)
			.innerJoin(partners, eq(partners.userId, sessions.userId))
			.innerJoin(workspaces, eq(workspaces.id, partners.workspaceId))
			.where(and(eq(sessions.tokenHash, tokenHash), eq(partners.id, partnerId ?? 0))),
	});
	const actor = actorOf(ctx, found.users, address);
	return found.partners[0] && { ...found.partners[0], actor };
}
