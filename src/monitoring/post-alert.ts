import type { Context, LogLine } from '../context.ts';
import { SECOND_MS } from '../domain/calendar.ts';

const TIMEOUT_MS = 5 * SECOND_MS;

export interface PostedAlert {
	readonly isTaken: boolean;
	/** Null if there was no response in time. */
	readonly status: number | null;
}

/** Never throws, and never logs the URL, which may contain a secret. */
export async function postAlert(ctx: Context, body: object, logged: Omit<LogLine, 'level' | 'event'>): Promise<PostedAlert> {
	const { alertWebhook } = ctx.settings;
	const failed = (status: number | null, fault: object = {}): PostedAlert => {
		ctx.log({ level: 'error', event: 'alert_not_sent', ...logged, status, ...fault });
		return { isTaken: false, status };
	};
	if (alertWebhook === undefined) return failed(null);
	try {
		const response = await ctx.fetch(alertWebhook, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		await response.body?.cancel();
		return response.ok ? { isTaken: true, status: response.status } : failed(response.status);
	} catch (error) {
		return failed(null, { error: error instanceof Error ? error.name : typeof error });
	}
}
