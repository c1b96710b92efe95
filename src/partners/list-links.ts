import type { Context } from '../context.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type ProgramLink, selectLinks } from './link.ts';

/** The links of a program, or of one of its partners, newest first; archived ones and those without partner too. */
export async function listLinks(
	ctx: Context,
	program: { readonly id: number },
	page: PageRequest & { readonly partnerId: number | undefined },
): Promise<Page<ProgramLink>> {
	const rows = await selectLinks(ctx, program.id, { partnerId: page.partnerId, before: page.cursor }).limit(page.limit + 1);
	return pageOf(rows, page.limit);
}
