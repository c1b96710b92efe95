import { Hono } from 'hono';
import * as z from 'zod/mini';
import { once } from '../../../once.ts';
import { listProgramKeys, type ProgramKey } from '../../../programs/list-program-keys.ts';
import { revealProgramKey } from '../../../programs/reveal-program-key.ts';
import { revokeProgramKey } from '../../../programs/revoke-program-key.ts';
import { rotateProgramKey } from '../../../programs/rotate-program-key.ts';
import type { AppEnv } from '../../app-env.ts';
import { FreeText, PasswordRequest, Strict, Whole } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, params, query } from '../../validate.ts';
import { fewGuesses, requireFewTries } from '../guesses.ts';
import { fromPrimary } from '../../replica-reads.ts';
import { requireProgram } from '../session.ts';

const OVERLAP_HOURS = 24;

export const RotateRequest = once(() => Strict({ password: FreeText(200), overlap_hours: z._default(Whole(0, 720), OVERLAP_HOURS) }));

/** Under /programs/:id/api-token. */
export const apiToken = new Hono<AppEnv>()
	.post('/reveal', fewGuesses, requireProgram('admin'), body(PasswordRequest), async (c) => {
		const { ctx, program } = c.var;
		await requireFewTries(c, { email: program.actor.email, what: 'password' });
		const revealed = await revealProgramKey(ctx, program, c.req.valid('json').password);
		return c.json({ success: true, data: { api_token: revealed } });
	})
	.post('/', fewGuesses, requireProgram('admin'), body(RotateRequest), async (c) => {
		const { ctx, program } = c.var;
		const { password, overlap_hours: overlapHours } = c.req.valid('json');
		await requireFewTries(c, { email: program.actor.email, what: 'password' });
		const rotated = await rotateProgramKey(ctx, program, { password, overlapHours });
		return c.json({ success: true, data: { api_token: rotated.apiToken, previous_expires_at: isoOf(rotated.previousExpiresAt) } }, 201);
	})
	.get('/', fromPrimary, requireProgram('member'), query(PageQuery), async (c) => {
		const { ctx, program } = c.var;
		const { cursor, limit, total } = c.req.valid('query');
		const page = await listProgramKeys(ctx, program, { cursor, limit, total });
		return c.json({ success: true, data: page.rows.map(keyOnWire), meta: metaOf(page) });
	})
	.delete('/:keyId', fewGuesses, requireProgram('admin'), params(['keyId']), body(PasswordRequest), async (c) => {
		const { ctx, program } = c.var;
		await requireFewTries(c, { email: program.actor.email, what: 'password' });
		await revokeProgramKey(ctx, program, c.req.valid('param').keyId, c.req.valid('json').password);
		return c.json({ success: true, data: null });
	});

function keyOnWire(key: ProgramKey) {
	return {
		id: key.id,
		prefix: key.prefix,
		current: key.expiresAt === null,
		created_at: isoOf(key.createdAt),
		last_used_at: isoOf(key.lastUsedAt),
		expires_at: isoOf(key.expiresAt),
	};
}
