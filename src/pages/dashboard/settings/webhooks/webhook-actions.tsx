import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf } from '../../../api.ts';
import { moment } from '../../../format.ts';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { Confirm, DialogButton } from '../../../ui/dialogs.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { SECRET_PLACE } from './add-webhook.tsx';
import { NewSecret, type Overlap, OverlapChoice } from '../shown-once.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { nameOf } from './webhook-labels.ts';
import { type Webhook, webhookRoutes } from './webhooks-query.ts';

// For owners and admins.

const ofWebhook = webhookRoutes[':webhookId'];

function useParam({ id: webhookId }: Webhook) {
	const { programId } = useProgram();
	return { id: programId, webhookId: String(webhookId) };
}

export function ChangeWebhook({ webhook }: { webhook: Webhook }) {
	return (
		<DialogButton trigger={<Button>Edit</Button>} title="Edit the webhook" isWide>
			{(close) => <ChangeForm webhook={webhook} close={close} />}
		</DialogButton>
	);
}

function ChangeForm({ webhook, close }: { webhook: Webhook; close: () => void }) {
	const param = useParam(webhook);
	const [types, setTypes] = useState(webhook.types);
	const change = useAction({
		send: (fields: FormData) => {
			const json = { url: textOf(fields, 'url'), description: textOf(fields, 'description') ?? null, types: [...types] };
			return answerOf(ofWebhook.$patch({ param, json }));
		},
		successMessage: () => 'The webhook was updated',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action="Save"
			isDisabled={types.length === 0}
			isPending={change.isPending}
			error={change.error}
			onCancel={close}
			onSend={(fields) => change.mutate(fields)}
		>
			<WebhookFields webhook={webhook} types={types} onTypes={setTypes} />
			<p className="description">Waiting deliveries are also sent to the new address.</p>
		</ActionForm>
	);
}

export function Enable({ webhook }: { webhook: Webhook }) {
	const param = useParam(webhook);
	const enable = useAction({
		send: () => answerOf(ofWebhook.$patch({ param, json: { enabled: true } })),
		successMessage: () => 'The webhook is enabled and receives events from now on',
	});
	return (
		<Button className="react-aria-Button primary" isPending={enable.isPending} onPress={() => enable.mutate()}>
			Enable
		</Button>
	);
}

export function SwitchOff({ webhook }: { webhook: Webhook }) {
	const param = useParam(webhook);
	const disable = useAction({
		send: () => answerOf(ofWebhook.$patch({ param, json: { enabled: false } })),
		successMessage: () => 'The webhook was disabled',
	});
	return (
		<Confirm
			trigger={<Button>Disable</Button>}
			title={`Disable ${nameOf(webhook)}?`}
			action="Disable"
			isPending={disable.isPending}
			onConfirm={() => disable.mutate()}
		>
			<p>
				Nothing is sent while the webhook is disabled. Waiting deliveries fail, and events that happen in the meantime are not sent later.
			</p>
		</Confirm>
	);
}

export function DeleteWebhook({ webhook }: { webhook: Webhook }) {
	const { programId } = useProgram();
	const param = useParam(webhook);
	const navigate = useNavigate();
	const remove = useAction({
		send: () => answerOf(ofWebhook.$delete({ param })),
		successMessage: () => 'The webhook was deleted',
		onDone: () => void navigate({ to: '/programs/$programId/settings/webhooks', params: { programId } }),
	});
	return (
		<Confirm
			trigger={<Button className="react-aria-Button danger">Delete</Button>}
			title={`Delete ${nameOf(webhook)}?`}
			action="Delete"
			isDangerous
			isPending={remove.isPending}
			onConfirm={() => remove.mutate()}
		>
			<p>Nothing more will be sent to it, not even waiting deliveries. Its secret and its list of deliveries are deleted permanently.</p>
		</Confirm>
	);
}

/** The old secret expires later, so the receiver refuses nothing during the change. */
export function RollWebhookSecret({ webhook }: { webhook: Webhook }) {
	return (
		<DialogButton trigger={<Button>Roll the secret</Button>} title="Roll the signing secret">
			{(close) => <RollForm webhook={webhook} close={close} />}
		</DialogButton>
	);
}

function RollForm({ webhook, close }: { webhook: Webhook; close: () => void }) {
	const { program } = useProgram();
	const param = useParam(webhook);
	const [overlap, setOverlap] = useState<Overlap>('24');
	const roll = useAction({
		send: async () => (await answerOf(ofWebhook.secret.$post({ param, json: { overlap_hours: Number(overlap) } }))).data,
		isQuiet: true,
	});
	if (roll.data) {
		const { secret, previous_secret_until: until } = roll.data;
		return (
			<>
				<NewSecret secret={secret} place={SECRET_PLACE} close={close} />
				<p className="note">
					{until === null
						? 'The previous secret is no longer used.'
						: `Requests are also signed with the previous secret until ${moment(until, program.time_zone)}.`}
				</p>
			</>
		);
	}
	return (
		<ActionForm action="Create" isPending={roll.isPending} error={roll.error} onCancel={close} onSend={() => roll.mutate()}>
			<p>You will see the new secret only once. Until the previous secret expires, each request has two signatures, one for each secret.</p>
			<OverlapChoice label="How long the previous secret remains in use" value={overlap} onChange={setOverlap} />
			{webhook.previous_secret_until !== null && (
				<p className="note warn">The secret from an earlier roll that is still in use stops immediately.</p>
			)}
		</ActionForm>
	);
}
