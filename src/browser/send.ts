import { base, testMode } from './settings.ts';
import { RETRY_MS } from './times.ts';

/** What is read of an answer; a refusal has none of it. */
export interface Answer {
	readonly click_id?: string;
	readonly cookie_window_days?: number;
	/** The answer set the cookies itself. */
	readonly cookie_set?: true;
}

/**
 * One call of a browser route: as text, so that it needs no preflight, and kept alive when the page goes. Tried once more
 * where the service does not answer or fails; never rejects.
 */
export async function send(route: 'click' | 'lead', body: object, isOwnSite?: boolean, isRetry?: true): Promise<Answer> {
	try {
		const response = await fetch(`${base.href}api/v1/track/${route}`, {
			method: 'POST',
			keepalive: true,
			// Cookies neither go to another site nor come from it.
			...(isOwnSite && { credentials: 'include' }),
			body: JSON.stringify({ ...body, ...testMode }),
		});
		if (response.status < 500) return await response.json();
	} catch {
		// No answer: blocked, offline, or not ours.
	}
	if (isRetry) return {};
	await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
	return send(route, body, isOwnSite, true);
}
