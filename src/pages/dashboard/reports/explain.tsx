import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { QUERY_KINDS, type IdQuery } from '../../../domain/commissions/explanation-of-id.ts';
import { textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Empty } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ExplainTabs } from './explain-tabs.tsx';
import { Explained } from './explained.tsx';

const route = getRouteApi('/shell/programs/$programId/explain');

type Kind = IdQuery['kind'];

const KINDS: Record<Kind, { readonly label: string; readonly description: string }> = {
	transaction_id: { label: 'Transaction id', description: 'As your backend sent it with the sale.' },
	click_id: { label: 'Click id', description: 'As stored by the browser script, or as sent with a lead.' },
	customer_key: { label: 'Customer key', description: 'Your own id for the customer.' },
	payment_id: { label: 'Payment id', description: "The payment processor's id for a payment, invoice, subscription or event." },
};

export function Explain() {
	const search = route.useSearch();
	const kind = QUERY_KINDS.find((queryKind) => search[queryKind] !== undefined);
	const value = kind && search[kind];
	return (
		<Page title="Explain">
			<ExplainTabs />
			<Card>
				<Ask key={`${kind} ${value}`} kind={kind ?? 'transaction_id'} value={value} />
			</Card>
			{kind && value !== undefined ? (
				<Explained kind={kind} value={value} />
			) : (
				<Card>
					<Empty title="Why did a sale earn a commission, or none?">
						<span>Enter the id of a sale, click, customer or payment to see what happened, step by step.</span>
					</Empty>
				</Card>
			)}
		</Page>
	);
}

function Ask({ kind: shown, value }: { kind: Kind; value: string | undefined }) {
	const navigate = route.useNavigate();
	const [kind, setKind] = useState(shown);
	return (
		<Form
			className="ask"
			onSubmit={(event) => {
				event.preventDefault();
				const id = textOf(new FormData(event.currentTarget), 'id');
				void navigate({ search: id === undefined ? {} : { [kind]: id } });
			}}
		>
			<Choice
				label="Kind of id"
				options={QUERY_KINDS.map((queryKind) => ({ value: queryKind, label: KINDS[queryKind].label }))}
				value={kind}
				onChange={setKind}
			/>
			<Field
				label={KINDS[kind].label}
				name="id"
				defaultValue={value ?? ''}
				description={KINDS[kind].description}
				isRequired
				autoComplete="off"
				autoFocus={value === undefined}
			/>
			<Button type="submit" className="react-aria-Button primary">
				Explain
			</Button>
		</Form>
	);
}
