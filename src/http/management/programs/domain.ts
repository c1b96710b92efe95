import { Hono } from 'hono';
import { type ProgramDomain, readProgramDomain, requireProvableDomain, verifyProgramDomain } from '../../../programs/program-domain.ts';
import type { AppEnv } from '../../app-env.ts';
import { clientNetwork, requireWithinLimit } from '../../limits.ts';
import { noQuery } from '../../validate.ts';
import { isoOf } from '../../../domain/instant.ts';
import { requireProgram } from '../session.ts';

/** Under /programs/:id/domain. */
export const domain = new Hono<AppEnv>()
	.get('/', requireProgram('member'), noQuery, async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: domainOnWire(await readProgramDomain(ctx, program.id)) });
	})
	.post('/verify', requireProgram('admin'), async (c) => {
		const { ctx, program } = c.var;
		const claimedDomain = await requireProvableDomain(ctx, program.id);
		// The check sends requests to other servers, so it is limited per caller and per domain.
		await requireWithinLimit(c.env.SIGN_IN_LIMIT, `domain ${await clientNetwork(c)}`);
		await requireWithinLimit(c.env.ACCOUNT_LIMIT, `domain ${claimedDomain}`);
		return c.json({ success: true, data: domainOnWire(await verifyProgramDomain(ctx, program, claimedDomain)) });
	});

function domainOnWire({ domain: name, needsProof, verifiedAt, proof }: ProgramDomain) {
	return {
		domain: name,
		verification_required: needsProof,
		verified_at: isoOf(verifiedAt),
		file: proof ? { url: proof.fileUrl, content: proof.text } : null,
		dns: proof ? { name: proof.recordName, type: 'TXT', value: proof.text } : null,
	};
}
