import { useState } from 'react';
import { answerOf } from '../../../api.ts';
import { moment } from '../../../format.ts';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { Card } from '../../../ui/page.tsx';
import { Facts } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { type Mode, ModeChoice } from './mode-choice.tsx';
import { type Processor, processorRoutes } from './processors-query.ts';
import { RollSecret } from './roll-secret.tsx';

const BASES = [
	{ value: 'net', label: 'Without tax and shipping' },
	{ value: 'gross', label: 'With tax and shipping' },
] as const;

/** A signature proves that the processor sent an event. */
export function ProcessorSecrets({ processor }: { processor: Processor }) {
	const { can } = useProgram();
	return (
		<Card title="Signing secrets">
			<div className="stack">
				{processor.connected && (
					<Facts
						facts={[
							['In use', processor.secrets.map((secret, index) => <Secret key={index} secret={secret} />)],
							['Sale amount', BASES.find(({ value }) => value === processor.amount_basis)?.label],
						]}
					/>
				)}
				{can('admin') ? (
					<Forms processor={processor} />
				) : (
					<p className="description">Only owners and admins of the workspace can set them.</p>
				)}
			</div>
		</Card>
	);
}

/** The most urgent form starts open. */
function Forms({ processor }: { processor: Processor }) {
	const { connected, secret_form: form } = processor;
	// Remounts the forms after a change, but not while a new secret is shown.
	const question = <SecretsForm key={processor.updated_at} processor={processor} />;
	if (!connected && !form.made_here) return question;
	return (
		<>
			<div className="actions">
				<RollSecret processor={processor} />
			</div>
			<details>
				<summary>{connected ? 'Replace the secrets, or change the sale amount' : 'Use a secret that you created yourself'}</summary>
				{question}
			</details>
		</>
	);
}

function Secret({ secret: { hint, test, until } }: { secret: Processor['secrets'][number] }) {
	const { program } = useProgram();
	const notes = [...(test === null ? [] : [test ? 'test mode' : 'live']), ...(until ? [`until ${moment(until, program.time_zone)}`] : [])];
	return (
		<div>
			{hint ?? 'A secret that can no longer be read'} {notes.length > 0 && <span className="quiet">({notes.join(', ')})</span>}
		</div>
	);
}

function SecretsForm({ processor: shown }: { processor: Processor }) {
	const { programId } = useProgram();
	const { processor, title, connected, secret_form: form } = shown;
	const [basis, setBasis] = useState(shown.amount_basis ?? 'net');
	const [mode, setMode] = useState<Mode>('live');
	const isOfTests = form.of_one_mode && mode === 'test';
	const isReplaced = shown.secrets.some(({ test }) => !form.of_one_mode || test === isOfTests);
	const connect = useAction({
		send: (secrets: string[]) => {
			const named = isOfTests ? { test_webhook_secrets: secrets } : { webhook_secrets: secrets };
			return answerOf(processorRoutes[':processor'].$put({ param: { id: programId, processor }, json: { ...named, amount_basis: basis } }));
		},
		successMessage: () =>
			isReplaced ? 'The signing secrets were replaced' : connected ? 'The signing secret was set' : `${title} is connected`,
		isQuiet: true,
	});
	return (
		<ActionForm
			action={isReplaced ? 'Replace' : connected ? 'Save' : 'Connect'}
			isPending={connect.isPending}
			error={connect.error}
			onSend={(fields) => connect.mutate((textOf(fields, 'secrets') ?? '').split(/[\s,]+/))}
		>
			{form.of_one_mode && <ModeChoice value={mode} onChange={setMode} />}
			<Field
				name="secrets"
				label={isReplaced ? 'New signing secrets' : 'Signing secret'}
				placeholder={`${form.prefix}…`}
				description={isReplaced ? 'They replace the secrets in use, which stop working immediately. Enter one per line.' : placeOf(shown)}
				isLong
				isRequired
				autoComplete="off"
				spellCheck="false"
			/>
			<Choice
				label="Sale amount"
				options={BASES}
				value={basis}
				onChange={setBasis}
				description="Percentage commissions are calculated from this amount. A change applies only to future payments."
			/>
		</ActionForm>
	);
}

/** Where to find the secret. */
function placeOf({ title, secret_form: form }: Processor): string {
	if (form.made_here) return 'The part after the prefix must be base64.';
	return `${title} shows it for the endpoint. If you have several${form.of_one_mode ? '' : ', such as for test and live mode'}, enter one per line.`;
}
