import { Hono } from 'hono';
import { once } from '../../../once.ts';
import { readDayNotes } from '../../../reporting/read-day-notes.ts';
import type { AppEnv } from '../../app-env.ts';
import { query } from '../../validate.ts';
import { bothEnds, ReportRange } from '../partner-programs/partner-programs.ts';
import { requireProgram } from '../session.ts';

export const DayNoteQuery = once(() => bothEnds(ReportRange('30d')));

/** GET /api/v1/programs/:id/day-notes */
export const dayNotes = new Hono<AppEnv>().get('/', requireProgram('member'), query(DayNoteQuery), async (c) => {
	const { ctx, program } = c.var;
	const { period, dateFrom: from, dateTo: to } = c.req.valid('query');
	const { notes, isComplete } = await readDayNotes(ctx, program, { period, dates: from && to && { from, to } });
	const data = notes.map(({ day, type, count }) => ({ date: day, type, count }));
	return c.json({ success: true, data, meta: { complete: isComplete } });
});
