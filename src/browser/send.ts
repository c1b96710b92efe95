import { base, testMode } from './settings.ts';
import { RETRY_MS } from './times.ts';

/** The fields that the script reads; a refusal has none of them. */
export interface Answer {
	readonly click_id?: string;
	readonly cookie_window_days?: number;
	/** The answer has set the cookies itself. */
	readonly cookie_set?: true;
}

/**
 * Calls a browser route, as text to avoid a preflight, and kept alive if the page goes. Retries once if the service does not answer.
 * Never rejects.
 */
export async function send(route: 'click' | 'lead', body: object, isOwnSite?: boolean, isRetry?: true): Promise<Answer> {
	try {
		const response = await fetch(`${base.href}api/v1/track/${route}`, {
			method: 'POST',
			keepalive: true,
			// Cookies are only sent to and from the page's own site.
			...(isOwnSite && { credentials: 'include' }),
			body: JSON.stringify({ ...body, ...testMode }),
		});
		if (response.status < 500) return await response.json();
	} catch {
		// Blocked, offline, or not our service.
	}
	if (isRetry) return {};
	await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
	return send(route, body, isOwnSite, true);
}
