import '../partners.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { Confirm } from '../../../ui/dialogs.tsx';
import { Empty, Loaded } from '../../../ui/loaded.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { Calculator } from './calculator.tsx';
import { ChangeRule, NewRule } from './rule-editor.tsx';
import { type Rule, rulesQuery } from './rule-queries.ts';
import { Versions } from './rule-versions.tsx';
import { earnsOf } from '../../../labels/rate.ts';
import { conditionsOf, SCOPE_ORDER, SCOPE_TITLES, scopeOfRule } from './rule-labels.ts';

/** In order of precedence. */
export function Rules() {
	const { programId, can } = useProgram();
	const rules = useQuery(rulesQuery(programId));
	return (
		<Page title="Commission rules" actions={can('admin') && <NewRule />}>
			<p className="quiet">One rule applies to each sale: the first one from the top that matches it. A change applies to later sales.</p>
			<div className="beside">
				<Loaded query={rules} lines={8}>
					{({ rows, isWhole }) => (
						<div className="stack">
							{rows.length === 0 && (
								<Card>
									<Empty title="No rules yet">Sales are recorded without a commission until you create a rule.</Empty>
								</Card>
							)}
							{!isWhole && <p className="note warn">There are more rules than this page shows.</p>}
							{rows.length > 0 && !rows.some((rule) => scopeOfRule(rule) === 'default') && (
								<p className="note warn">There is no rule for everything else. Sales that match none of these rules earn nothing.</p>
							)}
							{SCOPE_ORDER.map((scope) => {
								const ofScope = rows.filter((rule) => scopeOfRule(rule) === scope);
								return (
									ofScope.length > 0 && (
										<Card key={scope} title={SCOPE_TITLES[scope]} isFlush>
											<ul className="plain rules">
												{ofScope.map((rule) => (
													<RuleLine key={rule.id} rule={rule} />
												))}
											</ul>
										</Card>
									)
								);
							})}
						</div>
					)}
				</Loaded>
				<Calculator />
			</div>
		</Page>
	);
}

function RuleLine({ rule }: { rule: Rule }) {
	const { can } = useProgram();
	return (
		<li>
			<div className="stack tight">
				<p>
					<b>{earnsOf(rule)}</b> <Whom rule={rule} />
				</p>
				<p className="quiet small">
					{conditionsOf(rule)} <Versions rule={rule} />
				</p>
			</div>
			{can('admin') && (
				<div className="actions">
					<ChangeRule rule={rule} />
					<DeleteRule rule={rule} />
				</div>
			)}
		</li>
	);
}

function Whom({ rule }: { rule: Rule }) {
	const { programId } = useProgram();
	const { partner, group, product_id: product } = rule;
	if (!partner && !group && product === null) return <span>that no other rule matches</span>;
	return (
		<span className="wrap">
			{partner && (
				<>
					by{' '}
					<Link to="/programs/$programId/partners/$partnerId" params={{ programId, partnerId: String(partner.id) }}>
						{partner.name}
					</Link>
				</>
			)}
			{group && (
				<>
					by a partner in{' '}
					<Link to="/programs/$programId/partners" params={{ programId }} search={{ group: String(group.id) }}>
						{group.name}
					</Link>
				</>
			)}
			{product !== null && (
				<>
					{(partner ?? group) ? ' of ' : 'of '}the product <code>{product}</code>
				</>
			)}
		</span>
	);
}

function DeleteRule({ rule }: { rule: Rule }) {
	const { programId } = useProgram();
	const remove = useAction({
		send: () =>
			answerOf(api.v1.programs[':id']['commission-rules'][':ruleId'].$delete({ param: { id: programId, ruleId: String(rule.id) } })),
		successMessage: () => 'The rule is deleted',
	});
	const scope = scopeOfRule(rule);
	return (
		<Confirm
			trigger={<Button className="react-aria-Button plain">Delete</Button>}
			title="Delete this rule?"
			action="Delete"
			isDangerous
			isPending={remove.isPending}
			onConfirm={() => remove.mutate()}
		>
			<p>
				<b>{earnsOf(rule)}</b> <Whom rule={rule} />
			</p>
			<p>
				{scope === 'default'
					? 'From now on, sales that match no other rule are recorded without a commission.'
					: 'From now on, the next matching rule applies to these sales. If no rule matches, they are recorded without a commission.'}{' '}
				Existing commissions stay and still show their version of the rule. You cannot undo this, but you can create the same rule again.
			</p>
		</Confirm>
	);
}
