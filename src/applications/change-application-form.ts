import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, type Statement, violates, write } from '../db/client.ts';
import { applicationForms, applicationTerms } from '../db/schema/applications.ts';
import { conflict, invalid, type Rejection } from '../domain/rejection.ts';
import { slugOf } from '../domain/slug.ts';
import { type ApplicationForm, type ApplicationMode, readApplicationForm, selectForm, toForm } from './application-form.ts';
import { newShortLink } from '../partners/short-link.ts';

/** Omitted fields stay unchanged. */
export interface FormChanges {
	/** Derived from the program's name if omitted. */
	readonly slug?: string | undefined;
	readonly mode?: ApplicationMode | undefined;
	readonly description?: string | null | undefined;
	/** Null removes the terms. A changed text creates a new version. */
	readonly terms?: string | null | undefined;
	readonly groupId?: number | null | undefined;
}

/**
 * Needs an admin. Rejects with 409 for a slug that is taken or terms that somebody else has just changed, and with 400 for a group of
 * another program.
 */
export async function changeApplicationForm(ctx: Context, program: ManagedProgram, changes: FormChanges): Promise<ApplicationForm> {
	const before = await readApplicationForm(ctx, program.id);
	const slugs = [changes.slug ?? before.slug ?? slugOf(program.name), slugOf(program.name, newShortLink().slice(0, 4))];
	for (const [index, slug] of slugs.entries()) {
		try {
			const { form } = await write(ctx.db, writesOf(ctx, program, { ...changes, slug }, before), { form: selectForm(ctx, program.id) });
			return toForm(form);
		} catch (error) {
			const mayTakeAnother = index === 0 && changes.slug === undefined && before.slug === null;
			if (!mayTakeAnother || !violates(error, 'application_forms.slug')) throw refusalOf(error, slug) ?? error;
		}
	}
	throw new Error('No slug was free');
}

function writesOf(
	ctx: Context,
	program: ManagedProgram,
	changes: FormChanges & { readonly slug: string },
	before: ApplicationForm,
): Statement[] {
	const { slug, mode, description, groupId, terms } = changes;
	const programId = program.id;
	const hasNewTerms = terms !== undefined && (terms ?? '') !== (before.terms?.text ?? '');
	const { terms: _long, description: _words, ...shortChanges } = changes;
	return [
		ctx.db
			.insert(applicationForms)
			.values({ programId, slug, mode: 'closed', termsVersion: 0 })
			.onConflictDoNothing({ target: applicationForms.programId }),
		...(hasNewTerms ? insertTerms(ctx, programId, terms ?? '') : []),
		ctx.db.update(applicationForms).set({ slug, mode, description, groupId }).where(eq(applicationForms.programId, programId)),
		auditProgram(ctx, program, {
			action: 'application_form.change',
			subjectId: programId,
			detail: { ...shortChanges, ...(hasNewTerms ? { newTerms: true } : {}) },
		}),
	];
}

function insertTerms(ctx: Context, programId: number, text: string): Statement[] {
	const next = sql<number>`(SELECT terms_version + 1 FROM application_forms WHERE program_id = ${programId})`;
	return [
		ctx.db.insert(applicationTerms).values({ programId, version: next, text, createdAt: ctx.now }),
		ctx.db
			.update(applicationForms)
			.set({ termsVersion: sql`${applicationForms.termsVersion} + 1` })
			.where(eq(applicationForms.programId, programId)),
	];
}

function refusalOf(error: unknown, slug: string): Rejection | undefined {
	if (violates(error, 'application_forms.slug')) return conflict(`slug ${slug} is taken`);
	if (refusedWith(error, 'application_forms: no such group')) return invalid('group_id must be a group of this program');
	return undefined;
}
