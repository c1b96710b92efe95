import { Button } from 'react-aria-components';
import { ASK_AGAIN_AFTER_MS } from '../../../domain/payouts/ask-details.ts';
import { answerOf, api } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import type { Partner } from './queries.ts';

/** Sends the partner an email with a link to where they enter their payout details. */
export function AskForDetails({ partner: { id, name, payout_details_asked_at: askedAt } }: { partner: Partner }) {
	const { programId, program } = useProgram();
	const ask = useAction({
		send: () =>
			answerOf(
				api.v1.programs[':id'].partners[':partnerId']['payout-details'].ask.$post({ param: { id: programId, partnerId: String(id) } }),
			),
		successMessage: () => `An email is on its way to ${name}`,
	});
	const isRecent = askedAt !== null && Date.parse(askedAt) > Date.now() - ASK_AGAIN_AFTER_MS;
	if (isRecent)
		return (
			<span className="quiet small" role="status">
				Asked on {dayOf(askedAt, program.time_zone)}
			</span>
		);
	return (
		<Button className="react-aria-Button link" isPending={ask.isPending} onPress={() => ask.mutate()}>
			Ask for payout details
		</Button>
	);
}
