import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf } from '../../api.ts';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { Field } from '../../ui/field.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { type Processor, processorRoutes } from './processors-query.ts';
import { type Mode, ModeChoice } from './mode-choice.tsx';

const OVERLAPS = [
	{ value: '24', label: 'A day' },
	{ value: '1', label: 'An hour' },
	{ value: '168', label: 'A week' },
	{ value: '0', label: 'Not at all' },
] as const;

/** A new signing secret beside those in use, which end some time later: nothing is lost while the sender is changed over. */
export function RollSecret({ processor }: { processor: Processor }) {
	const { connected, secret_form: form } = processor;
	const action = connected ? 'Roll the secret' : 'Make a signing secret';
	return (
		<DialogButton
			trigger={<Button className={`react-aria-Button ${connected ? '' : 'primary'}`}>{action}</Button>}
			title={form.made_here ? 'A new signing secret' : 'The next signing secret'}
		>
			{(close) => <RollForm processor={processor} close={close} />}
		</DialogButton>
	);
}

function RollForm({ processor: { processor, title, connected, secret_form: form }, close }: { processor: Processor; close: () => void }) {
	const { programId } = useProgram();
	const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]['value']>('24');
	const [mode, setMode] = useState<Mode>('live');
	const roll = useAction({
		send: async (secret: string | undefined) => {
			const json = {
				webhook_secret: secret,
				overlap_hours: Number(overlap),
				test: form.of_one_mode ? mode === 'test' : undefined,
			};
			return (await answerOf(processorRoutes[':processor'].secret.$post({ param: { id: programId, processor }, json }))).data;
		},
		said: ({ webhook_secret: made }) => (made === null ? 'The signing secret is rolled' : undefined),
		isQuiet: true,
		onDone: ({ webhook_secret: made }) => made === null && close(),
	});
	const made = roll.data?.webhook_secret;
	if (made) return <Made secret={made} close={close} />;
	return (
		<ActionForm
			action={form.made_here ? 'Make it' : 'Roll'}
			isPending={roll.isPending}
			error={roll.error}
			onCancel={close}
			onSend={(fields) => roll.mutate(textOf(fields, 'secret'))}
		>
			{form.of_one_mode && <ModeChoice value={mode} onChange={setMode} />}
			{form.made_here ? (
				<p>It is shown once. Whoever sends the events signs them with it.</p>
			) : (
				<Field
					name="secret"
					label="New signing secret"
					placeholder={`${form.prefix}…`}
					description={`As ${title} shows it.`}
					isRequired
					autoComplete="off"
					spellCheck="false"
				/>
			)}
			{connected && <Choice label="Those until now count on for" options={OVERLAPS} value={overlap} onChange={setOverlap} />}
		</ActionForm>
	);
}

function Made({ secret, close }: { secret: string; close: () => void }) {
	return (
		<div className="stack">
			<p>
				<strong>Keep it now:</strong> it is not shown again. It belongs into the configuration of what sends the events, and into no page.
			</p>
			<Copy label="the signing secret" text={secret} />
			<div className="actions">
				<Button className="react-aria-Button primary" onPress={close}>
					Done
				</Button>
			</div>
		</div>
	);
}
