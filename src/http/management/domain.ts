import { Hono } from 'hono';
import { type ProgramDomain, readProgramDomain, requireProvableDomain, verifyProgramDomain } from '../../programs/program-domain.ts';
import type { AppEnv } from '../app-env.ts';
import { clientNetwork, requireWithinLimit } from '../limits.ts';
import { params, requireNoQuery } from '../validate.ts';
import { isoOf } from './filters.ts';
import { requireSession } from './session.ts';

/** Under /programs/:id/domain. */
export const domain = new Hono<AppEnv>()
	.get('/', requireSession, params(['id']), async (c) => {
		const { ctx, actor } = c.var;
		const read = await readProgramDomain(ctx, actor, c.req.valid('param').id);
		requireNoQuery(c);
		return c.json({ success: true, data: domainOnWire(read) });
	})
	.post('/verify', requireSession, params(['id']), async (c) => {
		const { ctx, actor } = c.var;
		const { id } = c.req.valid('param');
		const asked = await requireProvableDomain(ctx, actor, id);
		// Requests go out: not many of a caller, nor to a domain, whoever claims it.
		await requireWithinLimit(c.env.SIGN_IN_LIMIT, `domain ${await clientNetwork(c)}`);
		await requireWithinLimit(c.env.ACCOUNT_LIMIT, `domain ${asked}`);
		return c.json({ success: true, data: domainOnWire(await verifyProgramDomain(ctx, actor, id, asked)) });
	});

function domainOnWire({ domain: name, needsProof, verifiedAt, proof }: ProgramDomain) {
	return {
		domain: name,
		verification_required: needsProof,
		verified_at: verifiedAt === null ? null : isoOf(verifiedAt),
		file: proof ? { url: proof.fileUrl, content: proof.text } : null,
		dns: proof ? { name: proof.recordName, type: 'TXT', value: proof.text } : null,
	};
}
