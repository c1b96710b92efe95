import type { Context } from '../context.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Partner, selectPartners } from './partner.ts';

/** The partners of a program, newest first; those whose membership has ended too. */
export async function listPartners(ctx: Context, program: { readonly id: number }, page: PageRequest): Promise<Page<Partner>> {
	return pageOf(await selectPartners(ctx, program.id, { before: page.cursor }).limit(page.limit + 1), page.limit);
}
