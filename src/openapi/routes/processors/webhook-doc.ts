import type { BodyDoc, Example } from '../../operation.ts';

export interface WebhookDoc {
	/** By name. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: BodyDoc;
	readonly examples: readonly Example[];
}
