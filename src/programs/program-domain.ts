import { and, eq } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { programs } from '../db/schema/programs.ts';
import { type ProofPlaces, proofPlaces } from '../domain/attribution/domain-proof.ts';
import { bareDomain } from '../domain/attribution/own-domain.ts';
import { conflict } from '../domain/rejection.ts';
import { findDomainProof } from './find-domain-proof.ts';

/** Decision 40. */
export interface ProgramDomain {
	readonly domain: string | null;
	readonly needsProof: boolean;
	readonly verifiedAt: number | null;
	/** Undefined without a public domain. */
	readonly proof: (ProofPlaces & { readonly text: string }) | undefined;
}

/** Rejects with 409 without a public domain. */
export async function requireProvableDomain(ctx: Context, programId: number): Promise<string> {
	const { domain, proof } = await readProgramDomain(ctx, programId);
	if (domain === null) throw conflict('The program has no domain: set one with PATCH /api/v1/programs/<id>');
	if (!proof) throw conflict('The domain is not public, so it cannot be verified');
	return domain;
}

/** Looks for the proof and audits the result. Rejects with 409 if it is missing. */
export async function verifyProgramDomain(ctx: Context, program: ManagedProgram, domain: string): Promise<ProgramDomain> {
	const programId = program.id;
	const places = proofPlaces(domain);
	if (!places) throw conflict('The domain is not public, so it cannot be verified');
	const proofs = await ctx.secrets.domainProofs(programId, bareDomain(domain));
	const isProved = await findDomainProof(ctx, domain, places, proofs);
	const audit = auditProgram(ctx, program, {
		action: isProved ? 'domain.verify' : 'domain.refuse',
		subjectId: programId,
		detail: { domain },
	});
	if (!isProved) {
		await write(ctx.db, [audit]);
		throw conflict(
			`Neither ${places.fileUrl} nor a TXT record of ${places.recordName} contains the line ${proofs[0] ?? ''}. DNS changes can take a while`,
		);
	}
	const writes = [
		// A domain that was set concurrently stays unverified.
		ctx.db
			.update(programs)
			.set({ domainVerifiedAt: ctx.now })
			.where(and(eq(programs.id, programId), eq(programs.domain, domain))),
		audit,
	];
	const found = await write(ctx.db, writes, { domains: selectDomain(ctx, programId) });
	ctx.links.clear();
	ctx.hostOwners.clear();
	const verified = await domainOf(ctx, programId, found.domains);
	if (verified.domain !== domain) throw conflict('The domain has changed: verify the new one');
	return verified;
}

/** The proof is published, so it is not secret. */
export async function readProgramDomain(ctx: Context, programId: number): Promise<ProgramDomain> {
	return domainOf(ctx, programId, await selectDomain(ctx, programId));
}

function selectDomain(ctx: Context, programId: number) {
	return ctx.db.select({ domain: programs.domain, verifiedAt: programs.domainVerifiedAt }).from(programs).where(eq(programs.id, programId));
}

async function domainOf(ctx: Context, programId: number, [program]: Awaited<ReturnType<typeof selectDomain>>): Promise<ProgramDomain> {
	if (!program) throw new Error('The program is gone');
	const { domain, verifiedAt } = program;
	const places = domain === null ? undefined : proofPlaces(domain);
	const [text] = domain === null ? [] : await ctx.secrets.domainProofs(programId, bareDomain(domain));
	const proof = places && text !== undefined ? { ...places, text } : undefined;
	return { domain, needsProof: ctx.settings.needsDomainProof, verifiedAt, proof };
}
