import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { type Application, selectApplications } from './application.ts';
import { begins } from '../db/begins.ts';

export interface ApplicationsRequest extends PageRequest {
	readonly status?: Application['status'] | undefined;
	/** The start of a name or email address; case does not matter. */
	readonly search?: string | undefined;
}

/** Newest first. */
export async function listApplications(
	ctx: Context,
	program: { readonly id: number },
	request: ApplicationsRequest,
): Promise<Page<Application>> {
	const { status, search } = request;
	const list = {
		order: newestFirst(partnerApplications.id),
		where: and(eq(partnerApplications.programId, program.id), status === undefined ? undefined : eq(partnerApplications.status, status)),
		filter: search === undefined ? undefined : isFound(search),
	};
	return readPage(ctx.db, list, request, (isOnPage, limit) => selectApplications(ctx, program.id, isOnPage).limit(limit));
}

function isFound(search: string): SQL {
	const inName = begins('partner_applications.name COLLATE NOCASE', sql`${search}`);
	return sql`(${inName} OR ${begins('partner_applications.email', sql`${search.toLowerCase()}`)})`;
}
