import { tickAt } from './inbox.ts';
import { rows } from './funnel.ts';

/** `now` is in ms. A tick takes only ten erasures, which may belong to other tests. */
export async function sweepAt(now: number): Promise<void> {
	const due = () => rows('SELECT 1 FROM erasures WHERE next_sweep_at <= ? LIMIT 1', now);
	do await tickAt(now);
	while ((await due()).length > 0);
}
