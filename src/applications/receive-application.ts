import { and, asc, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { members, users } from '../db/schema/accounts.ts';
import { applicationForms, applicationTerms, partnerApplications } from '../db/schema/applications.ts';
import { partners } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { conflict, invalid, Rejection } from '../domain/rejection.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { inForce, isInForce, isShown, noPage } from './application-form.ts';
import { AGAIN_MS, ANSWERED_A_DAY, MOST_OPEN } from './application.ts';
import { approveApplications } from './approve-applications.ts';

export interface NewApplication {
	readonly name: string;
	/** Normalised. */
	readonly email: string;
	readonly website?: string | undefined;
	readonly message?: string | undefined;
	readonly termsVersion: number | undefined;
	readonly applicant: { readonly userId: number; readonly email: string } | undefined;
}

/**
 * Stores an application. The response does not reveal who is a partner, has applied or was declined. Automatic approval runs after it,
 * unless the workspace knows the address or the daily limit is reached. 404 without a page, 400 or 409 if the terms were not accepted, 409
 * if too many are open.
 */
export async function receiveApplication(ctx: Context, slug: string, application: NewApplication): Promise<void> {
	const [form] = await selectFormOf(ctx, slug);
	if (!form) throw noPage();
	requireTerms(inForce(form.terms)?.version ?? 0, application.termsVersion);
	if (form.openCount >= MOST_OPEN) throw conflict('This program accepts no more applications for now. Try again in a few days');
	const opId = crypto.randomUUID();
	const { email } = application;
	const { kept } = await write(ctx.db, writesOf(ctx, form, application, opId), {
		kept: ctx.db
			.select({ id: partnerApplications.id })
			.from(partnerApplications)
			.where(isOwn(form.program.id, email, opId)),
		known: ctx.db
			.select({ id: partners.id })
			.from(partners)
			.where(and(eq(partners.workspaceId, form.program.workspaceId), eq(partners.email, email))),
		beyond: selectBeyondDay(ctx, form.program.id),
	}).then(({ kept: [own], known, beyond }) => ({ kept: own && { id: own.id, isKnown: known.length > 0, isBeyond: beyond.length > 0 } }));
	if (!kept) return;
	sendEffects(ctx, [[form.program.id, opId]]);
	if (kept.isBeyond) return ctx.log({ level: 'warn', event: 'applications_beyond_day', programId: form.program.id });
	if (form.mode === 'automatic' && !kept.isKnown && form.owner) ctx.defer(approveByItself(ctx, { ...form, owner: form.owner }, kept.id));
	else if (ctx.mail) ctx.defer(ctx.mail({ kind: 'application_received', to: email, programName: form.program.name }));
}

type Form = Awaited<ReturnType<typeof selectFormOf>>[number];

function selectFormOf(ctx: Context, slug: string) {
	const waiting = ctx.db
		.select({ count: sql`count(*)` })
		.from(partnerApplications)
		.where(and(eq(partnerApplications.programId, applicationForms.programId), sql`${partnerApplications.status} = 'open'`));
	return ctx.db
		.select({
			program: { id: programs.id, workspaceId: programs.workspaceId, name: programs.name, timeZone: programs.timeZone },
			mode: applicationForms.mode,
			terms: { version: applicationTerms.version, text: applicationTerms.text, createdAt: applicationTerms.createdAt },
			/** The owner on whose behalf an automatic approval invites. */
			owner: { userId: users.id, email: users.email, name: users.name },
			openCount: sql<number>`(${waiting})`,
		})
		.from(applicationForms)
		.innerJoin(programs, eq(programs.id, applicationForms.programId))
		.leftJoin(applicationTerms, isInForce)
		.leftJoin(members, and(eq(members.workspaceId, programs.workspaceId), eq(members.role, 'owner'), isNull(members.deactivatedAt)))
		.leftJoin(users, eq(users.id, members.userId))
		.where(isShown(slug))
		.orderBy(asc(members.id))
		.limit(1);
}

function requireTerms(version: number, accepted: number | undefined): void {
	if (version === 0 || accepted === version) return;
	if (accepted === undefined) throw invalid(`accepted_terms_version is required: read and accept the terms, version ${version}`);
	throw conflict(`The terms have changed: read and accept version ${version}`);
}

/**
 * Writes nothing if the address belongs to a partner, has an open application or was recently declined, but sends equally many statements.
 * Retrying after a lost response stores and notifies nothing.
 */
function writesOf(ctx: Context, { program, terms }: Form, application: NewApplication, opId: string): Statement[] {
	const { id: programId, workspaceId } = program;
	const { name, email, website = null, message = null, applicant } = application;
	const userId = applicant?.email === email ? applicant.userId : null;
	const own = sql`SELECT * FROM partner_applications WHERE ${isOwn(programId, email, opId)}`;
	return [
		ctx.db.run(sql`
			INSERT INTO partner_applications (op_id, program_id, name, email, website, message, terms_version, user_id, status, created_at)
			SELECT ${opId}, ${programId}, ${name}, ${email}, ${website}, ${message}, ${inForce(terms)?.version ?? 0}, ${userId}, 'open', ${ctx.now}
			WHERE NOT EXISTS ${selectMembership(ctx, program, email)} AND NOT EXISTS ${selectDeclined(ctx, programId, email)}
			ON CONFLICT DO NOTHING`),
		ctx.db.run(sql`
			INSERT INTO outbox (program_id, id, kind, subject_id, created_at)
			SELECT program_id, op_id, 'application_received', id, ${ctx.now} FROM (${own}) WHERE changes() > 0`),
		ctx.db.run(sql`
			INSERT INTO audit_entries (at, workspace_id, program_id, user_id, action, subject_id, detail)
			SELECT ${ctx.now}, ${workspaceId}, program_id, user_id, 'application.receive', id, '{}' FROM (${own}) WHERE changes() > 0`),
	];
}

/** The newest application that exceeds the daily limit. Runs in the batch that stores one, so that it sees all earlier ones. */
function selectBeyondDay(ctx: Context, programId: number) {
	const last = ctx.db
		.select({ createdAt: partnerApplications.createdAt })
		.from(partnerApplications)
		.where(eq(partnerApplications.programId, programId))
		.orderBy(desc(partnerApplications.id))
		.limit(1)
		.offset(ANSWERED_A_DAY);
	return ctx.db
		.select({ createdAt: sql<number>`created_at` })
		.from(sql`(${last}) AS last`)
		.where(sql`created_at > ${ctx.now - DAY_MS}`);
}

function isOwn(programId: number, email: string, opId: string): SQL | undefined {
	return and(
		eq(partnerApplications.programId, programId),
		eq(partnerApplications.email, email),
		sql`${partnerApplications.status} = 'open'`,
		eq(partnerApplications.opId, opId),
	);
}

function selectMembership(ctx: Context, { id, workspaceId }: Form['program'], email: string) {
	const isMember = sql`${partners.id} IN (SELECT partner_id FROM partner_programs WHERE program_id = ${id} AND status <> 'ended')`;
	return ctx.db
		.select({ id: partners.id })
		.from(partners)
		.where(and(eq(partners.workspaceId, workspaceId), eq(partners.email, email), isMember));
}

function selectDeclined(ctx: Context, programId: number, email: string) {
	return ctx.db
		.select({ id: partnerApplications.id })
		.from(partnerApplications)
		.where(
			and(
				eq(partnerApplications.programId, programId),
				eq(partnerApplications.email, email),
				eq(partnerApplications.status, 'declined'),
				gt(partnerApplications.decidedAt, ctx.now - AGAIN_MS),
			),
		);
}

/** If automatic approval fails, the application waits for a person. */
async function approveByItself(ctx: Context, { program, owner }: Form & { readonly owner: Owner }, applicationId: number): Promise<void> {
	try {
		const actor = { ...owner, address: null };
		await approveApplications(ctx, { ...program, actor }, { ids: [applicationId], isAutomatic: true });
	} catch (error) {
		// A rejection means that somebody else was faster; any other error is a fault.
		const level = error instanceof Rejection ? 'warn' : 'error';
		ctx.log({ level, event: 'application_not_approved', programId: program.id, ...describeFault(error) });
	}
}

type Owner = NonNullable<Form['owner']>;
