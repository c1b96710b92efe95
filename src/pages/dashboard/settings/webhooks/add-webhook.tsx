import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { WEBHOOK_TYPES, type WebhookType } from '../../../../domain/webhooks/webhook-type.ts';
import { answerOf } from '../../../api.ts';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { NewSecret } from '../shown-once.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { webhookRoutes } from './webhooks-query.ts';

export function AddWebhook() {
	return (
		<DialogButton trigger={<Button className="react-aria-Button primary">Add a webhook</Button>} title="Add a webhook" isWide>
			{(close) => <AddForm close={close} />}
		</DialogButton>
	);
}

function AddForm({ close }: { close: () => void }) {
	const { programId } = useProgram();
	const navigate = useNavigate();
	const [types, setTypes] = useState<readonly WebhookType[]>(WEBHOOK_TYPES);
	const add = useAction({
		send: async (fields: FormData) => {
			const json = { url: textOf(fields, 'url') ?? '', description: textOf(fields, 'description'), types: [...types] };
			return (await answerOf(webhookRoutes.$post({ param: { id: programId }, json }))).data;
		},
		isQuiet: true,
	});
	if (add.data) {
		const { id, secret } = add.data;
		return (
			<NewSecret
				secret={secret}
				place={SECRET_PLACE}
				close={() => {
					close();
					void navigate({
						to: '/programs/$programId/settings/webhooks/$webhookId',
						params: { programId, webhookId: String(id) },
						search: {},
					});
				}}
			/>
		);
	}
	return (
		<ActionForm
			action="Add"
			isDisabled={types.length === 0}
			isPending={add.isPending}
			error={add.error}
			onCancel={close}
			onSend={(fields) => add.mutate(fields)}
		>
			<WebhookFields types={types} onTypes={setTypes} />
		</ActionForm>
	);
}

export const SECRET_PLACE =
	'The receiver uses it to check that requests come from this service. Keep it only in the configuration of the receiver.';
