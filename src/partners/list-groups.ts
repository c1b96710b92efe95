import { lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Group, selectGroups } from './group.ts';

/** The groups in use of a program, newest first. */
export async function listGroups(ctx: Context, program: { readonly id: number }, page: PageRequest): Promise<Page<Group>> {
	const isBehind = page.cursor === undefined ? undefined : lt(partnerGroups.id, page.cursor);
	return pageOf(await selectGroups(ctx, program.id, isBehind).limit(page.limit + 1), page.limit);
}
