import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf } from '../../api.ts';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';
import { Addresses } from './link-panel.tsx';
import { PageField } from './page-field.tsx';
import type { OwnLink } from './queries.ts';

export function AddLink() {
	return (
		<DialogButton trigger={<Button className="react-aria-Button primary">Add a link</Button>} title="Add a link">
			{(close) => <AddForm close={close} />}
		</DialogButton>
	);
}

function AddForm({ close }: { close: () => void }) {
	const { membershipId: id } = useMembership();
	const [added, setAdded] = useState<OwnLink>();
	const add = useAction({
		send: (fields: FormData) =>
			answerOf(own.links.$post({ param: { id }, json: { destination_url: textOf(fields, 'destination_url') ?? '' } })),
		isQuiet: true,
		onDone: ({ data }) => setAdded(data),
	});
	if (added) {
		return (
			<div className="stack" role="status">
				<p className="note good">Your link is ready. Both addresses lead to the same page and count for you.</p>
				<Addresses link={added} />
				<div className="actions">
					<Button className="react-aria-Button primary" onPress={close}>
						Done
					</Button>
				</div>
			</div>
		);
	}
	return (
		<ActionForm action="Add the link" isPending={add.isPending} error={add.error} onCancel={close} onSend={(fields) => add.mutate(fields)}>
			<PageField note="For example, a product that you write about." isRequired />
		</ActionForm>
	);
}
