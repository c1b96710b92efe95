import type { WebhookType } from '../../../../domain/webhooks/webhook-type.ts';
import { Field } from '../../../ui/field.tsx';
import type { Webhook } from './webhooks-query.ts';
import { WebhookTypes } from './webhook-types.tsx';

interface WebhookFieldsProps {
	readonly webhook?: Webhook;
	readonly types: readonly WebhookType[];
	readonly onTypes: (types: readonly WebhookType[]) => void;
}

/** `url` and `description` are form fields; the event types are props. */
export function WebhookFields({ webhook, types, onTypes }: WebhookFieldsProps) {
	return (
		<>
			<Field
				name="url"
				label="Address"
				type="url"
				placeholder="https://hooks.shop.example/affiliates"
				description="A public https:// address. Redirects are not followed."
				defaultValue={webhook?.url}
				maxLength={2_000}
				isRequired
				autoComplete="off"
				spellCheck="false"
			/>
			<Field
				name="description"
				label="Description"
				placeholder="Accounting"
				description="Helps you recognise this webhook. It is not sent to the receiver."
				defaultValue={webhook?.description ?? ''}
				maxLength={120}
				autoComplete="off"
			/>
			<WebhookTypes types={types} onChange={onTypes} />
		</>
	);
}
