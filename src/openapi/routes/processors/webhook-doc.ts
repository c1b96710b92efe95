import type { BodyDoc, Example } from '../../operation.ts';

/** What more is to be said of a processor's deliveries. */
export interface WebhookDoc {
	/** By their names. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: BodyDoc;
	readonly examples: readonly Example[];
}
