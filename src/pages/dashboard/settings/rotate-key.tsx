import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { moment } from '../../format.ts';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, rawTextOf } from '../../ui/action-form.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { newKeyQuery } from '../start/new-key.ts';
import { useProgram } from '../use-program.ts';
import { PasswordField } from '../../account/password-field.tsx';

const OVERLAPS = [
	{ value: '0', label: 'It stops immediately' },
	{ value: '1', label: '1 hour' },
	{ value: '24', label: '1 day' },
	{ value: '168', label: '7 days' },
	{ value: '720', label: '30 days' },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

/** The old key stays valid for a while. */
export function Rotate() {
	const { programId, program } = useProgram();
	return (
		<DialogButton trigger={<Button className="react-aria-Button primary">Rotate</Button>} title="Create a new key">
			{(close) => <RotateForm programId={programId} zone={program.time_zone} close={close} />}
		</DialogButton>
	);
}

function RotateForm({ programId, zone, close }: { programId: string; zone: string; close: () => void }) {
	const queryClient = useQueryClient();
	const [overlap, setOverlap] = useState<Overlap>('24');
	const rotate = useAction({
		send: async (password: string) =>
			(
				await answerOf(
					api.v1.programs[':id']['api-token'].$post({ param: { id: programId }, json: { password, overlap_hours: Number(overlap) } }),
				)
			).data,
		isQuiet: true,
		// The setup page caches a new program's key, which is now outdated.
		onDone: () => queryClient.removeQueries(newKeyQuery(programId)),
	});
	if (rotate.data) {
		const { api_token: key, previous_expires_at: until } = rotate.data;
		return (
			<>
				<p>This is the new key. Add it to your backend now.</p>
				<Copy label="the new key" text={key} />
				<p className="note">
					{overlap === '0' || until === null ? 'The previous key no longer works.' : `The previous key works until ${moment(until, zone)}.`}
				</p>
				<div className="actions">
					<Button className="react-aria-Button primary" onPress={close}>
						Done
					</Button>
				</div>
			</>
		);
	}
	return (
		<ActionForm
			action="Create a new key"
			isPending={rotate.isPending}
			error={rotate.error}
			onCancel={close}
			onSend={(fields) => rotate.mutate(rawTextOf(fields, 'password'))}
		>
			<Choice
				label="How long the current key keeps working"
				options={OVERLAPS}
				value={overlap}
				onChange={setOverlap}
				description="Allow enough time to update your backend, so that no sale is refused."
			/>
			<PasswordField autoFocus />
		</ActionForm>
	);
}
