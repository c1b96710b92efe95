import { useState } from 'react';
import { answerOf } from '../../api.ts';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { Facts } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';
import type { Postback } from './queries.ts';
import { EVENTS } from './labels.ts';

/** The service validates the URL. */
export function PostbackForm({ postback }: { postback: Postback | null }) {
	const { membershipId } = useMembership();
	const [selected, setSelected] = useState<readonly string[]>(postback?.events ?? ['lead', 'sale', 'reversed']);
	const save = useAction({
		send: (fields: FormData) =>
			answerOf(
				own.postback.$put({
					param: { id: membershipId },
					json: {
						url: textOf(fields, 'url') ?? '',
						events: EVENTS.flatMap(({ event }) => (selected.includes(event) ? [event] : [])),
					},
				}),
			),
		successMessage: () => 'Postback saved',
		isQuiet: true,
	});
	const choose = (event: string, isSelected: boolean) =>
		setSelected((before) => (isSelected ? [...before, event] : before.filter((other) => other !== event)));
	return (
		<ActionForm
			action="Save"
			isDisabled={selected.length === 0 || postback?.disabled_for === 'program'}
			isPending={save.isPending}
			error={save.error}
			onSend={(fields) => save.mutate(fields)}
		>
			<Field
				label="Address to call"
				name="url"
				defaultValue={postback?.url ?? ''}
				placeholder="https://network.example/postback?cid={sub_id}&payout={amount}"
				description="An https address. The placeholders in braces are filled in for each call."
				maxLength={2000}
				isLong
				isRequired
			/>
			<Placeholders />
			<div role="group" aria-label="Call it when" className="stack tight">
				<span className="react-aria-Label">Call it when</span>
				<div className="stack tight">
					{EVENTS.map(({ event, label, about }) => (
						<CheckboxField key={event} isSelected={selected.includes(event)} onChange={(isSelected) => choose(event, isSelected)}>
							<span className="lines">
								<span>{label}</span>
								<span className="quiet small">
									{about} <code>{event}</code>
								</span>
							</span>
						</CheckboxField>
					))}
				</div>
			</div>
		</ActionForm>
	);
}

function Placeholders() {
	return (
		<Facts
			facts={[
				['{sub_id}', 'The sub_id in your link: ?aff=…&sub_id=…'],
				['{amount}', 'What you earn, lose or get back, such as 19.80. 0 for a signup'],
				['{currency}', 'The currency of the amount, such as USD'],
				['{event}', 'The event, as named below'],
				['{click_id}', 'Our ID, the same for all events of one click'],
			]}
		/>
	);
}
