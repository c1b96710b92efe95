import type { BodyDoc, Example } from '../../operation.ts';

export interface WebhookDoc {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: BodyDoc;
	readonly examples: readonly Example[];
}
