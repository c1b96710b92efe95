import { Button } from 'react-aria-components';
import { ClearSelection } from '../../../ui/clear-selection.tsx';
import { useState } from 'react';
import { ApiError } from '../../../api.ts';
import { count, plural } from '../../../format.ts';
import { Confirm, DialogButton } from '../../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { centsOf, type Commission, type Filter, findMatching, type Matching, useSums } from './commission-queries.ts';
import { useRunningDecisions } from './decision-runs.tsx';
import { allOf, type Choice, decide, type Decision, needsRun, saidOf } from './decisions.ts';
import type { CommissionState } from '../../../labels/commission.tsx';
import { sumsOf, sumsText } from '../labels.ts';

interface DecideProps {
	readonly status: CommissionState;
	readonly filter: Filter;
	/** On all pages. */
	readonly selected: readonly Commission[];
	/** Whether the whole page that is shown is selected. */
	readonly isWhole: boolean;
	readonly onDone: () => void;
}

/** Actions for the selected commissions, or for all that match. */
export function Decide({ status, filter, selected, isWhole, onDone }: DecideProps) {
	const { programId } = useProgram();
	const [matching, setMatching] = useState<Matching>();
	const { data: sums = [] } = useSums(programId, filter);
	const find = useAction({ send: () => findMatching(programId, filter, status), onDone: setMatching, isRead: true });
	const all = isWhole ? matching : undefined;
	if (selected.length === 0) return <p className="bar selection quiet">Select commissions to decide on them together.</p>;
	const matches = sums.filter((sum) => sum.status === status).reduce((number, sum) => number + sum.count, 0);
	const counted = plural(all?.count ?? selected.length, 'commission');
	const worth = sumsText(
		all
			? sumsOf(all.sums, (sum) => ({ currency: sum.currency, cents: centsOf(sum) }))
			: sumsOf(selected, (row) => ({ currency: row.currency, cents: row.amount_cents - row.deducted_cents })),
	);
	return (
		<div className="bar selection">
			<div className="row" role="status">
				<strong>
					{all ? `All ${counted} that match` : counted}, {worth}
				</strong>
				<ClearSelection onPress={onDone} />
				{/* The count does not say which partly refunded ones have something left. */}
				{isWhole && !all && matches > selected.length && status !== 'refunded' && (
					<Button className="react-aria-Button link" isPending={find.isPending} onPress={() => find.mutate()}>
						Select all {plural(matches, 'commission')} that match
					</Button>
				)}
			</div>
			<DecisionButtons
				choice={all ? allOf(all) : { commission_ids: selected.map(({ id }) => id) }}
				what={`${counted}, ${worth}`}
				canApprove={status === 'pending'}
				onDone={() => {
					setMatching(undefined);
					onDone();
				}}
				onRefused={() => setMatching(undefined)}
			/>
		</div>
	);
}

interface ButtonsProps {
	readonly choice: Choice;
	/** Their count and sum. */
	readonly what: string;
	readonly canApprove: boolean;
	readonly onDone?: () => void;
	/** Called if they have changed since the dialog opened. */
	readonly onRefused?: () => void;
}

/** Approve and reject, each with a confirmation. */
export function DecisionButtons({ choice, what, canApprove, onDone, onRefused }: ButtonsProps) {
	const { programId } = useProgram();
	const running = useRunningDecisions(programId);
	const approve = useAction({
		send: (selected: Choice) => decide(programId, 'approve', selected),
		successMessage: (decided) => saidOf('approve', decided),
	});
	const onError = (error: Error) => {
		if (error instanceof ApiError && error.status === 409) onRefused?.();
	};
	const all = 'filter' in choice ? ` all ${count(choice.expected_count)}` : '';
	const isWaiting = (decision: Decision) => needsRun(choice) && running.has(decision);
	return (
		<div className="actions">
			{(isWaiting('approve') || isWaiting('reject')) && (
				<span className="quiet">Only one run at a time. Wait until the one above has finished.</span>
			)}
			{canApprove && (
				<Confirm
					trigger={
						<Button className="react-aria-Button primary" isPending={approve.isPending} isDisabled={isWaiting('approve')}>
							Approve{all}
						</Button>
					}
					title={`Approve ${what}?`}
					action="Approve"
					isPending={approve.isPending}
					onConfirm={() => approve.mutate(choice, { onSuccess: onDone, onError })}
				>
					<p>
						Approval ends the hold, and the next payout includes the amount. You cannot undo an approval, but you can reject an approved
						commission until it is paid.
					</p>
				</Confirm>
			)}
			<DialogButton
				trigger={
					<Button className="react-aria-Button danger" isDisabled={isWaiting('reject')}>
						Reject{all}
					</Button>
				}
				title={`Reject ${what}?`}
			>
				{(close) => <RejectForm choice={choice} close={close} onDone={onDone} onError={onError} />}
			</DialogButton>
		</div>
	);
}

interface RejectProps {
	readonly choice: Choice;
	readonly close: () => void;
	readonly onDone: (() => void) | undefined;
	readonly onError: (error: Error) => void;
}

function RejectForm({ choice, close, onDone, onError }: RejectProps) {
	const { programId } = useProgram();
	const reject = useAction({
		send: (reason: string | undefined) => decide(programId, 'reject', choice, reason),
		successMessage: (decided) => saidOf('reject', decided),
		isQuiet: true,
		onDone: () => {
			close();
			onDone?.();
		},
	});
	return (
		<ActionForm
			action="Reject"
			isDangerous
			isPending={reject.isPending}
			error={reject.error}
			onCancel={close}
			onSend={(fields) => reject.mutate(textOf(fields, 'reason'), { onError })}
		>
			<p>What is left of each commission is deducted from the partner’s balance. You cannot undo this.</p>
			<Field label="Reason" name="reason" maxLength={500} description="The partner is notified and sees this reason." isLong autoFocus />
		</ActionForm>
	);
}
