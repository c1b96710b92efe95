import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { WEBHOOK_OCCASIONS, WEBHOOK_TYPES, type WebhookType } from '../../../../domain/webhooks/webhook-type.ts';
import { answerOf } from '../../../api.ts';
import { ActionForm } from '../../../ui/action-form.tsx';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { type Webhook, webhookRoutes } from './webhooks-query.ts';

const route = getRouteApi('/shell/programs/$programId/settings/webhooks/$webhookId');

export function SendTestEvent({ webhook }: { webhook: Webhook }) {
	return (
		<DialogButton trigger={<Button className="react-aria-Button primary">Send a test event</Button>} title="Send a test event">
			{(close) => <TestForm webhook={webhook} close={close} />}
		</DialogButton>
	);
}

function TestForm({ webhook: { id, types }, close }: { webhook: Webhook; close: () => void }) {
	const { programId } = useProgram();
	const navigate = route.useNavigate();
	const offered = [...types, ...WEBHOOK_TYPES.filter((type) => !types.includes(type))];
	const [type, setType] = useState<WebhookType>(offered[0] ?? 'sale.created');
	const send = useAction({
		send: async () =>
			(await answerOf(webhookRoutes[':webhookId'].test.$post({ param: { id: programId, webhookId: String(id) }, json: { type } }))).data,
		isQuiet: true,
		onDone: (delivery) => {
			close();
			void navigate({ search: { delivery: String(delivery.id) } });
		},
	});
	return (
		<ActionForm action="Send" isPending={send.isPending} error={send.error} onCancel={close} onSend={() => send.mutate()}>
			<p>The test event is signed and logged like any other. Its data is made up, and it contains &quot;test&quot;: true.</p>
			<Choice
				label="Event"
				options={offered.map((value) => ({ value, label: value }))}
				value={type}
				onChange={setType}
				description={WEBHOOK_OCCASIONS[type]}
			/>
		</ActionForm>
	);
}
