import { useQuery } from '@tanstack/react-query';
import type { IdQuery } from '../../../domain/commissions/explanation-of-id.ts';
import { answerOf, api } from '../../api.ts';
import { money, plural } from '../../format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge } from '../../ui/small.tsx';
import { Conclusion, type ExplainedSale, SaleExplanation, Timeline } from '../explanation.tsx';
import { CustomerLink } from '../links.tsx';
import { useProgram } from '../use-program.ts';

type Kind = IdQuery['kind'];

async function explain(programId: string, kind: Kind, value: string, signal: AbortSignal) {
	const query = { [kind]: value };
	return (await answerOf(api.v1.programs[':id'].explain.$get({ param: { id: programId }, query }, { init: { signal } }))).data;
}

type Explanation = Awaited<ReturnType<typeof explain>>;

export function useExplanation(kind: Kind, value: string) {
	const { programId } = useProgram();
	return useQuery({
		queryKey: ['explain', programId, kind, value],
		queryFn: ({ signal }) => explain(programId, kind, value, signal),
	});
}

export function Explained({ kind, value }: { kind: Kind; value: string }) {
	const query = useExplanation(kind, value);
	return (
		<div className="stack" aria-busy={query.isFetching}>
			<p role="status" className="visually-hidden">
				{query.data?.conclusion}
			</p>
			<Loaded query={query} lines={10}>
				{(explanation) => <Found explanation={explanation} />}
			</Loaded>
		</div>
	);
}

function Found({ explanation }: { explanation: Explanation }) {
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
				<Card title="Other details">
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

function Sales({ sales }: Pick<Explanation, 'sales'>) {
	return (
		<Card title={`${plural(sales.length, 'sale')}, newest first`}>
			<div className="stack">
				{sales.map((explained, index) => (
					<SaleDetails key={explained.sale.id} explained={explained} isOpen={index === 0} />
				))}
			</div>
		</Card>
	);
}

/** Expands to the sale's timeline. */
export function SaleDetails({ explained, isOpen = false }: { explained: ExplainedSale; isOpen?: boolean }) {
	return (
		<details open={isOpen}>
			<summary>
				{saleTitle(explained)} <code>{explained.sale.transaction_id}</code> {money(explained.sale.amount_cents, explained.sale.currency)}{' '}
				{!explained.commission && <Badge>No commission</Badge>}
			</summary>
			<SaleExplanation explained={explained} />
		</details>
	);
}
