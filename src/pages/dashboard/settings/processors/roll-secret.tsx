import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf } from '../../../api.ts';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { Field } from '../../../ui/field.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { type Processor, processorRoutes } from './processors-query.ts';
import { type Mode, ModeChoice } from './mode-choice.tsx';
import { NewSecret, type Overlap, OverlapChoice } from '../shown-once.tsx';

const SECRET_PLACE = 'Keep it in the configuration of the system that sends the events. Never put it in a web page.';

/** Old secrets expire later, so no event is lost during the change. */
export function RollSecret({ processor }: { processor: Processor }) {
	const { connected, secret_form: form } = processor;
	const action = connected ? 'Roll the secret' : 'Create a signing secret';
	return (
		<DialogButton
			trigger={<Button className={`react-aria-Button ${connected ? '' : 'primary'}`}>{action}</Button>}
			title={form.made_here ? 'Create a signing secret' : 'Roll the signing secret'}
		>
			{(close) => <RollForm processor={processor} close={close} />}
		</DialogButton>
	);
}

function RollForm({ processor: { processor, title, connected, secret_form: form }, close }: { processor: Processor; close: () => void }) {
	const { programId } = useProgram();
	const [overlap, setOverlap] = useState<Overlap>('24');
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
		successMessage: ({ webhook_secret: made }) => (made === null ? 'The signing secret was rolled' : undefined),
		isQuiet: true,
		onDone: ({ webhook_secret: made }) => made === null && close(),
	});
	const made = roll.data?.webhook_secret;
	if (made) return <NewSecret secret={made} place={SECRET_PLACE} close={close} />;
	return (
		<ActionForm
			action={form.made_here ? 'Create' : 'Roll'}
			isPending={roll.isPending}
			error={roll.error}
			onCancel={close}
			onSend={(fields) => roll.mutate(textOf(fields, 'secret'))}
		>
			{form.of_one_mode && <ModeChoice value={mode} onChange={setMode} />}
			{form.made_here ? (
				<p>You will see it only once. The system that sends the events uses it to sign them.</p>
			) : (
				<Field
					name="secret"
					label="New signing secret"
					placeholder={`${form.prefix}…`}
					description={`Copy it from ${title}.`}
					isRequired
					autoComplete="off"
					spellCheck="false"
				/>
			)}
			{connected && <OverlapChoice label="How long earlier secrets remain valid" value={overlap} onChange={setOverlap} />}
		</ActionForm>
	);
}
