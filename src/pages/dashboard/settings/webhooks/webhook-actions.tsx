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
		<DialogButton trigger={<Button>Change</Button>} title="Change the webhook" isWide>
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
		successMessage: () => 'The webhook is changed',
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
			<p className="description">What waits to be sent goes to the new address, too.</p>
		</ActionForm>
	);
}

export function Enable({ webhook }: { webhook: Webhook }) {
	const param = useParam(webhook);
	const enable = useAction({
		send: () => answerOf(ofWebhook.$patch({ param, json: { enabled: true } })),
		successMessage: () => 'The webhook is sent what happens from now on',
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
		successMessage: () => 'The webhook is disabled',
	});
	return (
		<Confirm
			trigger={<Button>Disable</Button>}
			title={`Disable ${nameOf(webhook)}?`}
			action="Disable"
			isPending={disable.isPending}
			onConfirm={() => disable.mutate()}
		>
			<p>Nothing is sent from then on. What waits is given up, and what happens until you enable it again is not sent later.</p>
		</Confirm>
	);
}

export function DeleteWebhook({ webhook }: { webhook: Webhook }) {
	const { programId } = useProgram();
	const param = useParam(webhook);
	const navigate = useNavigate();
	const remove = useAction({
		send: () => answerOf(ofWebhook.$delete({ param })),
		successMessage: () => 'The webhook is deleted',
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
			<p>Nothing is sent to it from then on, what waits neither. Its secret and the list of its deliveries go with it for good.</p>
		</Confirm>
	);
}

/** The old secret expires later, so the receiver refuses nothing during the change. */
export function RollWebhookSecret({ webhook }: { webhook: Webhook }) {
	return (
		<DialogButton trigger={<Button>Roll the secret</Button>} title="A new signing secret">
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
					{until === null ? 'The secret before signs no more.' : `The secret before signs along until ${moment(until, program.time_zone)}.`}
				</p>
			</>
		);
	}
	return (
		<ActionForm action="Make it" isPending={roll.isPending} error={roll.error} onCancel={close} onSend={() => roll.mutate()}>
			<p>It is shown once. Until the overlap ends each request has two signatures, by the new secret and by the one before.</p>
			<OverlapChoice label="The one before signs along for" value={overlap} onChange={setOverlap} />
			{webhook.previous_secret_until !== null && <p className="note warn">A secret that still signs from a roll before ends at once.</p>}
		</ActionForm>
	);
}
