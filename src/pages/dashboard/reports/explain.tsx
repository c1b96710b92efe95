import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { ASKED_KINDS, type AskedId } from '../../../domain/explanation-of-id.ts';
import { answerOf, api } from '../../api.ts';
import { money, plural } from '../../format.ts';
import { Choice, Field, textOf } from '../../ui/fields.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Badge } from '../../ui/small.tsx';
import { Conclusion, type ExplainedSale, SaleExplanation, Timeline } from '../explanation.tsx';
import { CustomerLink } from '../links.tsx';
import { useProgram } from '../use-program.ts';
import { ExplainTabs } from './explain-tabs.tsx';

const route = getRouteApi('/shell/programs/$programId/explain');

type Kind = AskedId['kind'];

const KINDS: Record<Kind, { readonly label: string; readonly description: string }> = {
	transaction_id: { label: 'Transaction id', description: 'As your backend sent it with the sale.' },
	click_id: { label: 'Click id', description: 'As the browser script keeps it, or as it came with a lead.' },
	customer_key: { label: 'Customer key', description: 'Your own id of the customer.' },
	payment_id: { label: 'Payment id', description: "Stripe's id of a payment, invoice, subscription or event." },
};

/** Why a commission is as it is, or why there is none. */
export function Explain() {
	const search = route.useSearch();
	const kind = ASKED_KINDS.find((asked) => search[asked] !== undefined);
	const value = kind && search[kind];
	return (
		<Page title="Explain">
			<ExplainTabs />
			<Card>
				<Ask key={`${kind} ${value}`} kind={kind ?? 'transaction_id'} value={value} />
			</Card>
			{kind && value !== undefined ? (
				<Answer kind={kind} value={value} />
			) : (
				<Card>
					<Empty title="Why is there a commission, or none?">
						<span>Type an id of a sale, click, customer or payment: you read what became of it, step by step.</span>
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
				label="What you have"
				options={ASKED_KINDS.map((asked) => ({ value: asked, label: KINDS[asked].label }))}
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

async function explain(programId: string, kind: Kind, value: string, signal: AbortSignal) {
	const query = { [kind]: value };
	return (await answerOf(api.v1.programs[':id'].explain.$get({ param: { id: programId }, query }, { init: { signal } }))).data;
}

type Explanation = Awaited<ReturnType<typeof explain>>;

function Answer({ kind, value }: { kind: Kind; value: string }) {
	const { programId } = useProgram();
	const query = useQuery({
		queryKey: ['explain', programId, kind, value],
		queryFn: ({ signal }) => explain(programId, kind, value, signal),
		placeholderData: keepPreviousData,
	});
	return (
		<div className="stack" aria-live="polite" aria-busy={query.isFetching}>
			<Loaded query={query} lines={10}>
				{(explanation) => <Explained explanation={explanation} />}
			</Loaded>
		</div>
	);
}

function Explained({ explanation }: { explanation: Explanation }) {
	const { conclusion, steps, customers, sales } = explanation;
	const [sale, ...others] = sales;
	const isSaid = steps.every(({ text }) => text === conclusion);
	return (
		<>
			{!sale && <Conclusion text={conclusion} tone="warn" />}
			{sale && others.length === 0 && (
				<Card title={saleTitle(sale)}>
					<SaleExplanation explained={sale} />
				</Card>
			)}
			{sale && others.length > 0 && <Sales sales={sales} />}
			{(!isSaid || customers.length > 0) && (
				<Card title="What else is known of it">
					<div className="stack">
						<Customers customers={customers} />
						<Timeline steps={steps} />
					</div>
				</Card>
			)}
		</>
	);
}

function saleTitle({ sale }: ExplainedSale): string {
	return `${sale.test ? 'Test sale' : 'Sale'} ${sale.id}`;
}

function Customers({ customers }: Pick<Explanation, 'customers'>) {
	if (customers.length === 0) return null;
	return (
		<ul className="plain row">
			{customers.map(({ id, customer_key }) => (
				<li key={id}>
					<CustomerLink id={id}>{customer_key ?? `Customer ${id}`}</CustomerLink>
				</li>
			))}
		</ul>
	);
}

/** Each opens to its own story. */
function Sales({ sales }: Pick<Explanation, 'sales'>) {
	return (
		<Card title={`${plural(sales.length, 'sale')}, the newest first`}>
			<div className="stack">
				{sales.map((explained, index) => (
					<details key={explained.sale.id} open={index === 0}>
						<summary>
							{saleTitle(explained)} <code>{explained.sale.transaction_id}</code>{' '}
							{money(explained.sale.amount_cents, explained.sale.currency)} {!explained.commission && <Badge>No commission</Badge>}
						</summary>
						<SaleExplanation explained={explained} />
					</details>
				))}
			</div>
		</Card>
	);
}
