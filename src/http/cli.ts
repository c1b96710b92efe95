import { Hono } from 'hono';
import type { AppEnv } from './app-env.ts';
import { answerEvents } from './events.ts';
import { requireKeyedProgram } from './program-bearer.ts';

/** /api/v1/cli: what an integrator asks with the program key. */
export const cli = new Hono<AppEnv>();

cli.get('/events', async (c) => answerEvents(c, await requireKeyedProgram(c)));
