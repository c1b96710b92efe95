import { tickAt } from './inbox.ts';
import { rows } from './funnel.ts';

/** Has the erasures searched again that are due at a moment, ms: a tick takes ten, and those of other tests are among them. */
export async function sweepAt(now: number): Promise<void> {
	const due = () => rows('SELECT 1 FROM erasures WHERE next_sweep_at <= ? LIMIT 1', now);
	do await tickAt(now);
	while ((await due()).length > 0);
}
