import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { answerOf, api } from '../../../api.ts';
import { centsOf, money } from '../../../format.ts';
import { Field } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Card } from '../../../ui/page.tsx';
import { PartnerPicker } from '../../partner-picker.tsx';
import { useProgram } from '../../use-program.ts';
import { earnsOf } from '../../../labels/rate.ts';
import { conditionsOf, SCOPE_TITLES, scopeOfRule } from './rule-labels.ts';

/** What a first sale inside the attribution window would earn, and under which rule. Records nothing. */
export function Calculator() {
	const { program } = useProgram();
	const [amount, setAmount] = useState('100');
	const [partnerId, setPartnerId] = useState<string>();
	const [product, setProduct] = useState('');
	const amountCents = centsOf(amount, program.currency) ?? 0;
	const sale = useDeferredValue(`${amountCents}/${product.trim()}`);
	return (
		<Card title="What would a sale earn?">
			<div className="stack">
				<Field
					label={`Sale amount, ${program.currency}`}
					inputMode="decimal"
					value={amount}
					onChange={setAmount}
					isInvalid={amountCents === 0}
				/>
				<PartnerPicker label="Partner" placeholder="a partner without their own rules" onChange={setPartnerId} />
				<Field label="Product" placeholder="a product without its own rules" maxLength={255} value={product} onChange={setProduct} />
				{amountCents > 0 ? <Earning partnerId={partnerId} sale={sale} /> : <p className="quiet">Enter an amount, such as 49.00.</p>}
			</div>
		</Card>
	);
}

interface EarningProps {
	readonly partnerId: string | undefined;
	/** Amount in minor units, and product. */
	readonly sale: string;
}

function Earning({ partnerId, sale }: EarningProps) {
	const { programId } = useProgram();
	const [amountCents = '', productId] = sale.split(/\/(.*)/s);
	const earning = useQuery({
		queryKey: ['rules', programId, 'dry-run', partnerId, sale],
		queryFn: async ({ signal }) => {
			const query = { amount_cents: amountCents, partner_id: partnerId, product_id: productId || undefined };
			const answer = api.v1.programs[':id']['commission-rules']['dry-run'].$get({ param: { id: programId }, query }, { init: { signal } });
			return (await answerOf(answer)).data;
		},
		enabled: amountCents !== '0',
		placeholderData: keepPreviousData,
	});
	return (
		<div role="status">
			<Loaded query={earning} lines={2}>
				{({ commission, rule, reason, currency }) =>
					commission && rule ? (
						<div className="stack tight">
							<p className="earning">{money(commission.amount_cents, currency)}</p>
							<p>
								The rule for {SCOPE_TITLES[scopeOfRule(rule)].toLowerCase()} applies: {earnsOf(rule)}.
							</p>
							<p className="quiet small">{conditionsOf(rule)}</p>
						</div>
					) : (
						<p className="note warn">No commission: {reason}.</p>
					)
				}
			</Loaded>
		</div>
	);
}
