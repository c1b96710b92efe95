import type { Context } from '../context.ts';
import { invalid } from '../domain/rejection.ts';
import { addressProblem } from '../domain/webhooks/webhook-address.ts';

/** Returns the normalised URL. Rejects with 400 if it may not receive webhooks. */
export function requireAddress({ settings }: Context, url: string): string {
	const problem = addressProblem(url, settings.takesAnyWebhookAddress);
	if (problem !== undefined) throw invalid(problem);
	return new URL(url).href;
}
