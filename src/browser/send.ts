import { base, testMode } from './settings.ts';
import { RETRY_MS } from './times.ts';

/** The response fields that the script reads. A refusal has none of them. */
export interface Answer {
	readonly click_id?: string;
	readonly cookie_window_days?: number;
	/** Set if the response has set the cookies. */
	readonly cookie_set?: true;
}

/**
 * Calls a browser route. A text body avoids a preflight, and the request outlives the page. Retries once if the service does not respond.
 * Never rejects.
 */
export async function send(route: 'click' | 'lead', body: object, isOwnSite?: boolean, isRetry?: true): Promise<Answer> {
	try {
		const response = await fetch(`${base.href}api/v1/track/${route}`, {
			method: 'POST',
			keepalive: true,
			// Cookies are sent and set only if the service is on the page's site.
			...(isOwnSite && { credentials: 'include' }),
			body: JSON.stringify({ ...body, ...testMode }),
		});
		if (response.status < 500) return await response.json();
	} catch {
		// Blocked, offline, or a response that is not from our service.
	}
	if (isRetry) return {};
	await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
	return send(route, body, isOwnSite, true);
}
