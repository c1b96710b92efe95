import { useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { Facts } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import type { StripeConnection } from './stripe.tsx';

const BASES = [
	{ value: 'net', label: 'Without tax and shipping' },
	{ value: 'gross', label: 'With tax and shipping' },
] as const;

/** By its signing secret an event shows that it is Stripe's. */
export function StripeSecrets({ connection }: { connection: StripeConnection }) {
	const { may } = useProgram();
	return (
		<Card title="Signing secrets">
			<div className="stack">
				{connection.connected && (
					<Facts
						facts={[
							[
								'In use',
								connection.secret_hints.map((hint, index) => <div key={hint ?? index}>{hint ?? 'One that cannot be read any more'}</div>),
							],
							['A sale counts', BASES.find(({ value }) => value === connection.amount_basis)?.label],
						]}
					/>
				)}
				{may('admin') ? (
					<SecretsForm key={connection.updated_at} connection={connection} />
				) : (
					<p className="description">Owners and admins of the workspace set them.</p>
				)}
			</div>
		</Card>
	);
}

function SecretsForm({ connection }: { connection: StripeConnection }) {
	const { programId } = useProgram();
	const [basis, setBasis] = useState(connection.amount_basis ?? 'net');
	const connect = useAction({
		send: (secrets: string[]) =>
			answerOf(api.v1.programs[':id'].stripe.$put({ param: { id: programId }, json: { webhook_secrets: secrets, amount_basis: basis } })),
		said: () => (connection.connected ? 'The signing secrets are replaced' : 'Stripe is connected'),
		isQuiet: true,
	});
	return (
		<ActionForm
			action={connection.connected ? 'Replace' : 'Connect'}
			isPending={connect.isPending}
			error={connect.error}
			onSend={(fields) => connect.mutate((textOf(fields, 'secrets') ?? '').split(/[\s,]+/))}
		>
			<Field
				name="secrets"
				label={connection.connected ? 'New signing secrets' : 'Signing secret'}
				placeholder="whsec_…"
				description={
					connection.connected
						? 'They take the place of those in use: while one is rolled, write down both, one per line.'
						: 'Stripe shows it for the endpoint. Of several, such as for test and live mode, one per line.'
				}
				isLong
				isRequired
				autoComplete="off"
				spellCheck="false"
			/>
			<Choice
				label="A sale counts"
				options={BASES}
				value={basis}
				onChange={setBasis}
				description="What commissions are a share of, for payments from now on."
			/>
		</ActionForm>
	);
}
