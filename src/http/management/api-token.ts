import { Hono } from 'hono';
import * as z from 'zod/mini';
import { once } from '../../once.ts';
import { revealProgramKey } from '../../programs/reveal-program-key.ts';
import { rotateProgramKey } from '../../programs/rotate-program-key.ts';
import type { AppEnv } from '../app-env.ts';
import { FreeText } from '../schema.ts';
import { requireFewGuesses, requireFewGuessesAt } from './auth.ts';
import { Strict, Whole } from './fields.ts';
import { isoOf } from './filters.ts';
import { json, pathId, requireSession } from './session.ts';

const OVERLAP_HOURS = 24;

export const RevealRequest = once(() => Strict({ password: FreeText(200) }));
export const RotateRequest = once(() => Strict({ password: FreeText(200), overlap_hours: z._default(Whole(0, 720), OVERLAP_HOURS) }));

/** Under /programs/:id/api-token. */
export const apiToken = new Hono<AppEnv>();

apiToken.post('/reveal', async (c) => {
	await requireFewGuesses(c);
	const actor = await requireSession(c);
	const programId = pathId(c, 'id');
	const { password } = await json(c, RevealRequest);
	await requireFewGuessesAt(c, actor.email);
	return c.json({ success: true, data: { api_token: await revealProgramKey(c.get('ctx'), actor, programId, password) } });
});

apiToken.post('/', async (c) => {
	await requireFewGuesses(c);
	const actor = await requireSession(c);
	const programId = pathId(c, 'id');
	const { password, overlap_hours: overlapHours } = await json(c, RotateRequest);
	await requireFewGuessesAt(c, actor.email);
	const rotated = await rotateProgramKey(c.get('ctx'), actor, programId, { password, overlapHours });
	return c.json({ success: true, data: { api_token: rotated.apiToken, previous_expires_at: isoOf(rotated.previousExpiresAt) } }, 201);
});
