import { timeText } from '../../domain/time-text.ts';
import type { AnswerOf, api } from '../api.ts';
import { day, moment, money, plural } from '../format.ts';
import { Badge, Facts, type Tone } from '../ui/small.tsx';
import { CommissionBadge } from '../labels/commission.tsx';
import { rateOf } from '../labels/rate.ts';
import { CommissionLink, CustomerLink, PartnerLink, PayoutLink } from './links.tsx';
import { useProgram } from './use-program.ts';

// Why a sale earned its commission, or none, in the service's words.

type Ask = (typeof api.v1.programs)[':id']['commissions'][':commissionId']['explanation']['$get'];

export type ExplainedSale = AnswerOf<Awaited<ReturnType<Ask>>>['data'];
export type Step = ExplainedSale['steps'][number];

export function SaleExplanation({ explained }: { explained: ExplainedSale }) {
	const { program } = useProgram();
	const { sale, customer, partner, commission, rule, payout } = explained;
	return (
		<div className="stack">
			<Conclusion text={explained.conclusion} tone={toneOf(explained)} />
			<Facts
				facts={[
					['Transaction', <code key="t">{sale.transaction_id}</code>],
					['Amount', amountText(sale)],
					['Recorded', moment(sale.created_at, program.time_zone)],
					['Product', sale.product_id],
					['sub_id of the link', sale.sub_id],
					['Subscription', sale.subscription_id],
					['Customer', customer && <CustomerLink id={customer.id}>{customer.customer_key ?? `Customer ${customer.id}`}</CustomerLink>],
					['Partner', partner && <PartnerLink id={partner.id}>{partner.name}</PartnerLink>],
					['Commission', commission && <Earned commission={commission} />],
					['Rule', rule && `Rule ${rule.id}, version ${rule.version}`],
					[
						'Payout',
						payout && <PayoutLink id={payout.id}>{`Payout ${payout.id}, ${money(payout.amount_cents, payout.currency)}`}</PayoutLink>,
					],
				]}
			/>
			<h3>Timeline</h3>
			<Timeline steps={explained.steps} />
			{explained.decision && <Decision decision={explained.decision} />}
		</div>
	);
}

export function Conclusion({ text, tone = '' }: { text: string; tone?: Tone | '' }) {
	const { program } = useProgram();
	return <p className={`note ${tone}`}>{inWords(text, program.time_zone)}.</p>;
}

function toneOf({ commission, sale }: ExplainedSale): Tone | '' {
	if (!commission) return sale.test ? '' : 'warn';
	return ['rejected', 'reversed'].includes(commission.status) ? 'bad' : 'good';
}

function amountText({ amount_cents, refunded_cents, currency }: ExplainedSale['sale']): string {
	const refunded = refunded_cents > 0 ? `, of which ${money(refunded_cents, currency)} refunded` : '';
	return `${money(amount_cents, currency)}${refunded}`;
}

function Earned({ commission }: { commission: NonNullable<ExplainedSale['commission']> }) {
	const { id, amount_cents, deducted_cents, currency, status } = commission;
	return (
		<span className="row">
			<CommissionLink id={id}>{money(amount_cents - deducted_cents, currency)}</CommissionLink>
			{deducted_cents > 0 && <span className="quiet">of {money(amount_cents, currency)}</span>}
			<CommissionBadge status={status} />
		</span>
	);
}

const KINDS: Record<Step['kind'], { readonly title: string; readonly tone: Tone | '' }> = {
	click: { title: 'Click', tone: '' },
	coupon: { title: 'Coupon', tone: '' },
	lead: { title: 'Sign-up', tone: '' },
	sale: { title: 'Sale', tone: 'good' },
	decision: { title: 'Decision', tone: '' },
	commission: { title: 'Commission', tone: '' },
	refund: { title: 'Refund', tone: 'warn' },
	ledger: { title: 'Balance', tone: '' },
	payout: { title: 'Payout', tone: 'good' },
	refusal: { title: 'Refused', tone: 'bad' },
	event: { title: 'Payment event', tone: '' },
};

/** Decisions are below their sale. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
	const { program } = useProgram();
	return (
		<ol className="timeline">
			{grouped(steps).map(({ step, decided }, index) => (
				<li key={index} className={KINDS[step.kind].tone}>
					<div className="row">
						<strong>{KINDS[step.kind].title}</strong>
						{step.at !== null && (
							<time className="quiet small" dateTime={step.at}>
								{moment(step.at, program.time_zone)}
							</time>
						)}
					</div>
					<div className="wrap">{inWords(withoutTime(step, program.time_zone), program.time_zone)}</div>
					{decided.length > 0 && (
						<ul className="quiet wrap">
							{decided.map(({ text }) => (
								<li key={text}>{inWords(text, program.time_zone)}</li>
							))}
						</ul>
					)}
				</li>
			))}
		</ol>
	);
}

/** The time is shown above. */
function withoutTime({ at, text }: Step, timeZone: string): string {
	return at === null ? text : text.replace(` on ${timeText(Date.parse(at), timeZone)}`, '');
}

function grouped(steps: readonly Step[]): { step: Step; decided: Step[] }[] {
	const groups: { step: Step; decided: Step[] }[] = [];
	for (const step of steps) {
		const last = groups.at(-1);
		if (last && (step.kind === 'decision' || step.kind === 'commission')) last.decided.push(step);
		else groups.push({ step, decided: [] });
	}
	return groups;
}

const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** Shows ISO 8601 instants in the program's time zone. */
export function inWords(text: string, timeZone: string): string {
	return text.replace(INSTANT, (iso) => moment(iso, timeZone)).replace(/\.$/, '');
}

const FOUND_BY: Record<NonNullable<ExplainedSale['decision']>['found_by'], string> = {
	key: 'the customer key',
	key_taking_click: 'the customer key, then attributed to the click',
	key_taking_coupon: "the customer key, then attributed to the coupon's partner",
	click: 'the click',
	new: 'the click, as a new customer',
	new_further: 'the click, as a further customer',
	new_by_coupon: 'the coupon, as a new customer',
};

type Placeholders = NonNullable<NonNullable<ExplainedSale['decision']>['coupon']>;

const VERDICTS: Record<Placeholders['verdict'], string> = {
	unknown: 'Unknown code: no active coupon has it',
	suspended: 'not applied, because its partner was suspended',
	attributed: 'which attributed the customer to its partner',
	own: 'which belongs to the partner of this customer',
	other: 'not applied',
};

function couponText(coupon: Placeholders | null): string | null {
	if (!coupon) return null;
	const name = coupon.code === null ? [] : [coupon.partner_name === null ? coupon.code : `${coupon.code} of ${coupon.partner_name}`];
	return [...name, VERDICTS[coupon.verdict]].join(', ');
}

function windowText({ coupon, cookie_window_days, inside_window }: NonNullable<ExplainedSale['decision']>): string {
	if (coupon?.verdict === 'attributed' || coupon?.verdict === 'own') return "does not apply, because the partner's coupon was used";
	return `${plural(cookie_window_days, 'day')}: ${inside_window ? 'paid in time' : 'paid too late'}`;
}

function Decision({ decision }: { decision: NonNullable<ExplainedSale['decision']> }) {
	const { program } = useProgram();
	const at = (iso: string | null) => iso && moment(iso, program.time_zone);
	return (
		<details>
			<summary>All facts behind the decision</summary>
			<div className="stack tight">
				<Facts
					facts={[
						['Customer found by', FOUND_BY[decision.found_by]],
						['Coupon', couponText(decision.coupon)],
						[decision.coupon?.verdict === 'attributed' ? 'Coupon used' : 'Clicked', at(decision.clicked_at)],
						['Paid', at(decision.paid_at)],
						['Recorded', at(decision.recorded_at)],
						['Subscribed', at(decision.subscribed_at)],
						['Trial began', at(decision.trial_began_at)],
						['Renews a sale of', decision.renews_sale_of && day(decision.renews_sale_of)],
						['Attribution window', windowText(decision)],
						['Partner status then', decision.partner_status],
						['Recalculated commission', decision.earned_cents === null ? 'none' : money(decision.earned_cents, decision.currency)],
					]}
				/>
				<Rules rules={decision.rules} />
			</div>
		</details>
	);
}

type Rule = NonNullable<ExplainedSale['decision']>['rules'][number];

const SCOPES: Record<Rule['scope'], string> = {
	default: 'All sales',
	product: 'The product',
	group: 'The group',
	group_product: 'The group and product',
	partner: 'The partner',
	partner_product: 'The partner and product',
};

function Rules({ rules }: { rules: readonly Rule[] }) {
	if (rules.length === 0) return <p className="quiet">No commission rule was in force for this sale.</p>;
	return (
		<div className="scroll" tabIndex={0} role="region" aria-label="Rules that were in force">
			<table>
				<thead>
					<tr>
						<th scope="col">Rule for</th>
						<th scope="col" className="number">
							Pays
						</th>
						<th scope="col" className="number">
							Hold
						</th>
						<th scope="col">Used</th>
					</tr>
				</thead>
				<tbody>
					{rules.map((rule) => (
						<tr key={rule.rule_version_id}>
							<th scope="row">{SCOPES[rule.scope]}</th>
							<td className="number">{rateOf(rule)}</td>
							<td className="number">{plural(rule.hold_days, 'day')}</td>
							<td>{rule.used ? <Badge tone="good">Used</Badge> : <span className="quiet">No</span>}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
