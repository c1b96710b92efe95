import { type ReportedProgram, requireProgramSession } from '../accounts/program-session.ts';
import type { AppContext } from './app-env.ts';
import { pathId, requireSession, requireSessionHash } from './management/session.ts';

/**
 * The program of `:programId`, for a signed-in member of its workspace, in one trip (contract, section 5, rule 5). Who is
 * not signed in is told so (401) before what is wrong with the path (400).
 */
export async function requireReportedProgram(c: AppContext): Promise<ReportedProgram> {
	const tokenHash = await requireSessionHash(c);
	if (!/^[1-9]\d{0,15}$/.test(c.req.param('programId') ?? '')) await requireSession(c);
	return requireProgramSession(c.get('ctx'), tokenHash, pathId(c, 'programId'));
}
