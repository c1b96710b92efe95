import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Application, selectApplications } from './application.ts';
import { begins } from './commission-filter.ts';

export interface ApplicationsRequest extends PageRequest {
	readonly status?: Application['status'] | undefined;
	/** How the name or the e-mail address begins, in any letter case. */
	readonly search?: string | undefined;
}

/** The applications to a program, newest first. */
export async function listApplications(
	ctx: Context,
	program: { readonly id: number },
	{ status, search, cursor, limit }: ApplicationsRequest,
): Promise<Page<Application>> {
	const condition = and(
		status === undefined ? undefined : eq(partnerApplications.status, status),
		search === undefined ? undefined : isFound(search),
		cursor === undefined ? undefined : lt(partnerApplications.id, cursor),
	);
	return pageOf(await selectApplications(ctx, program.id, condition).limit(limit + 1), limit);
}

function isFound(search: string): SQL {
	const inName = begins('partner_applications.name COLLATE NOCASE', sql`${search}`);
	return sql`(${inName} OR ${begins('partner_applications.email', sql`${search.toLowerCase()}`)})`;
}
