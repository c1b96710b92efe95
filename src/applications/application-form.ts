import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { applicationForms, applicationTerms } from '../db/schema/applications.ts';
import { programs } from '../db/schema/programs.ts';
import { notFound, type Rejection } from '../domain/rejection.ts';

export type ApplicationMode = 'closed' | 'by_approval' | 'automatic';

export interface ApplicationForm {
	/** Null until the form is set up. */
	readonly slug: string | null;
	readonly mode: ApplicationMode;
	readonly description: string | null;
	readonly groupId: number | null;
	readonly terms: Terms | null;
}

export interface Terms {
	readonly version: number;
	readonly text: string;
	readonly createdAt: number;
}

const NONE: ApplicationForm = { slug: null, mode: 'closed', description: null, groupId: null, terms: null };

/** A statement for any batch. Terms are null if there have never been any. */
export function selectForm(ctx: Context, programId: number) {
	return ctx.db
		.select({
			slug: applicationForms.slug,
			mode: applicationForms.mode,
			description: applicationForms.description,
			groupId: applicationForms.groupId,
			terms: { version: applicationTerms.version, text: applicationTerms.text, createdAt: applicationTerms.createdAt },
		})
		.from(applicationForms)
		.leftJoin(applicationTerms, isInForce)
		.where(eq(applicationForms.programId, programId));
}

/** The join condition for the terms in force. */
export const isInForce = and(
	eq(applicationTerms.programId, applicationForms.programId),
	sql`${applicationTerms.version} = ${applicationForms.termsVersion}`,
);

/** Whether the page with this slug is public. */
export function isShown(slug: string): SQL | undefined {
	return and(eq(applicationForms.slug, slug), ne(applicationForms.mode, 'closed'), eq(programs.active, true));
}

/** The same 404 for every reason, so that it reveals nothing. */
export function noPage(): Rejection {
	return notFound('Program page');
}

export function toForm([stored]: Awaited<ReturnType<typeof selectForm>>): ApplicationForm {
	return stored ? { ...stored, terms: inForce(stored.terms) } : NONE;
}

/** Terms with an empty text count as none. */
export function inForce(terms: Terms | null): Terms | null {
	return terms?.text ? terms : null;
}

/** Closed until it is set up. */
export async function readApplicationForm(ctx: Context, programId: number): Promise<ApplicationForm> {
	return toForm(await selectForm(ctx, programId));
}
