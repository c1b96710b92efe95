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
				description="On the public web, by https. Redirects are not followed."
				defaultValue={webhook?.url}
				maxLength={2_000}
				isRequired
				autoComplete="off"
				spellCheck="false"
			/>
			<Field
				name="description"
				label="What it is for"
				placeholder="The books"
				description="Not sent along: by this you know it again."
				defaultValue={webhook?.description ?? ''}
				maxLength={120}
				autoComplete="off"
			/>
			<WebhookTypes types={types} onChange={onTypes} />
		</>
	);
}
