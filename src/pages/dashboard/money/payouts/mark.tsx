import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { plural } from '../../../format.ts';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { worthOf } from '../labels.ts';
import { useProgram } from '../../use-program.ts';

interface MarkSentProps {
	readonly payouts: readonly { readonly id: number; readonly currency: string; readonly amount_cents: number }[];
	readonly isPrimary?: boolean;
	readonly onDone?: () => void;
}

export function MarkSent({ payouts, isPrimary = false, onDone }: MarkSentProps) {
	return (
		<DialogButton
			trigger={
				<Button className={`react-aria-Button ${isPrimary ? 'primary' : ''}`} isDisabled={payouts.length === 0}>
					Mark as sent
				</Button>
			}
			title={`Mark ${plural(payouts.length, 'payout')} of ${worthOf(payouts)} as sent?`}
		>
			{(close) => <SentForm payouts={payouts} close={close} onDone={onDone} />}
		</DialogButton>
	);
}

/** The most payouts that one request may mark; longer lists take several requests. */
const MOST = 500;

function SentForm({ payouts, close, onDone }: Pick<MarkSentProps, 'payouts' | 'onDone'> & { close: () => void }) {
	const { programId } = useProgram();
	// Only the payouts shown when the dialog opened, not any created later.
	const [ids] = useState(() => payouts.map(({ id }) => id));
	const parts = Array.from({ length: Math.ceil(ids.length / MOST) }, (_, index) => ids.slice(index * MOST, (index + 1) * MOST));
	const done = useRef(0);
	const mark = useAction({
		send: async (fields: FormData) => {
			for (const [index, part] of parts.entries()) {
				// A failed attempt may have marked some of them; the next attempt continues with the rest.
				if (index < done.current) continue;
				const json = { payout_ids: part, reference: textOf(fields, 'reference'), sent_at: textOf(fields, 'sent_at') };
				await answerOf(api.v1.programs[':id'].payouts.sent.$post({ param: { id: programId }, json }));
				done.current = index + 1;
			}
			return ids.length;
		},
		successMessage: (marked) => `Marked as sent: ${plural(marked, 'payout')}`,
		isQuiet: true,
		onDone: () => {
			close();
			onDone?.();
		},
	});
	return (
		<ActionForm
			action="Mark as sent"
			isPending={mark.isPending}
			error={mark.error}
			onCancel={close}
			onSend={(fields) => mark.mutate(fields)}
		>
			<p>Send the money first: this only records it and notifies the partners. If a payment does not arrive, mark its payout as failed.</p>
			<Field
				label="Reference"
				name="reference"
				maxLength={255}
				description="The number of the transfer or batch, so that you can find the payment later. Partners see it."
				autoFocus
			/>
			<Field label="Sent on" name="sent_at" type="date" description="If empty: now." />
		</ActionForm>
	);
}

export function MarkFailed({ payoutId, worth }: { payoutId: number; worth: string }) {
	return (
		<DialogButton
			trigger={<Button className="react-aria-Button danger">Mark as failed</Button>}
			title={`Mark payout ${payoutId} of ${worth} as failed?`}
		>
			{(close) => <FailedForm payoutId={payoutId} worth={worth} close={close} />}
		</DialogButton>
	);
}

function FailedForm({ payoutId, worth, close }: { payoutId: number; worth: string; close: () => void }) {
	const { programId } = useProgram();
	const mark = useAction({
		send: (reason: string) =>
			answerOf(
				api.v1.programs[':id'].payouts[':payoutId'].failed.$post({
					param: { id: programId, payoutId: String(payoutId) },
					json: { reason },
				}),
			),
		successMessage: () => `Payout ${payoutId} is marked as failed: ${worth} is back in the balance`,
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action="Mark as failed"
			isDangerous
			isPending={mark.isPending}
			error={mark.error}
			onCancel={close}
			onSend={(fields) => mark.mutate(textOf(fields, 'reason') ?? '')}
		>
			<p>
				You cannot undo this. The {worth} is credited to the partner’s balance again, and the next payout pays it. The commissions stay
				paid. The partner is notified.
			</p>
			<Field
				label="Reason"
				name="reason"
				maxLength={500}
				description="For example: the account is closed. The partner sees this reason."
				isLong
				isRequired
				autoFocus
			/>
		</ActionForm>
	);
}
