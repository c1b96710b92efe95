import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { count, plural } from '../../../format.ts';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { ActionForm } from '../../../ui/action-form.tsx';
import { CheckboxField } from '../../../ui/fields.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';

const STATES = [
	{ state: 'refused', label: 'Refused', isUsual: true },
	{ state: 'failed', label: 'Failed', isUsual: true },
	{ state: 'expired', label: 'Expired', isUsual: true },
	{ state: 'ignored', label: 'Ignored', isUsual: false },
	{ state: 'applied', label: 'Applied', isUsual: false },
] as const;

/** Replays the failed events once their cause is fixed. */
export function ReplayMany() {
	return (
		<DialogButton trigger={<Button>Replay several</Button>} title="Replay events">
			{(close) => <ReplayForm close={close} />}
		</DialogButton>
	);
}

function ReplayForm({ close }: { close: () => void }) {
	const { programId } = useProgram();
	const [done, setDone] = useState<{ replayed: number; remaining: number }>();
	const replay = useAction({
		send: async (fields: FormData) => {
			const states = STATES.map(({ state }) => state).filter((state) => fields.has(state));
			let replayed = 0;
			let settledBefore: string | undefined;
			// Each call replays a few hundred. Events that fail again get a later settling time, so the next call skips them.
			for (;;) {
				const { data } = await answerOf(
					api.v1.programs[':id']['processor-replay'].$post({
						param: { id: programId },
						json: { states, ...(settledBefore === undefined ? {} : { settled_before: settledBefore }) },
					}),
				);
				replayed += data.replayed;
				settledBefore = data.settled_before;
				setDone({ replayed, remaining: data.remaining });
				if (data.remaining === 0 || data.replayed === 0) return replayed;
			}
		},
		successMessage: (replayed) => (replayed === 0 ? 'No event is in these states' : `${plural(replayed, 'event')} processed again`),
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action="Replay them"
			isPending={replay.isPending}
			error={replay.error}
			onCancel={close}
			onSend={(fields) => replay.mutate(fields)}
		>
			<p>Replays the events in these states, in the order in which they happened. Nothing is recorded twice.</p>
			<div className="stack tight" role="group" aria-label="States">
				{STATES.map(({ state, label, isUsual }) => (
					<CheckboxField key={state} name={state} defaultSelected={isUsual}>
						{label}
					</CheckboxField>
				))}
			</div>
			<p className="description" role="status">
				{done && `${count(done.replayed)} done, ${count(done.remaining)} to go.`}
			</p>
		</ActionForm>
	);
}
