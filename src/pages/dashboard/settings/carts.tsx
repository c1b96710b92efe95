import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { type AnswerOf, answerOf, api } from '../../api.ts';
import { money, plural } from '../../format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';
import { SETTINGS } from './program-fields.ts';
import { useChangeProgram } from './use-change-program.ts';

const preview = api.v1.programs[':id']['commission-rules']['by-line'];

type Preview = AnswerOf<Awaited<ReturnType<typeof preview.$get>>>['data'];

/** Whether each line of a cart uses its own rule, and what that changes. */
export function Carts() {
	const { program, programId, can } = useProgram();
	const isOn = program.rules_by_line;
	const change = useChangeProgram();
	const query = useQuery({
		queryKey: ['rules-by-line', programId],
		queryFn: async ({ signal }) => (await answerOf(preview.$get({ param: { id: programId } }, { init: { signal } }))).data,
	});
	return (
		<Card title={SETTINGS.rules_by_line.label} actions={isOn ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}>
			<div className="stack tight">
				<p className="description">{SETTINGS.rules_by_line.about}</p>
				<Loaded query={query} lines={2}>
					{(found) => <Comparison found={found} />}
				</Loaded>
				{can('admin') && (
					<div className="actions">
						<Button
							className={isOn ? 'react-aria-Button' : 'react-aria-Button primary'}
							isPending={change.isPending}
							onPress={() => change.mutate({ rules_by_line: !isOn })}
						>
							{isOn ? 'Use one rule for the whole sale' : 'Use a rule for each line'}
						</Button>
					</div>
				)}
			</div>
		</Card>
	);
}

function Comparison({ found }: { found: Preview }) {
	const { sales_read: salesRead, complete, carts, changed, totals } = found;
	const sales = `${complete ? 'the' : 'the newest'} ${plural(salesRead, 'sale')} of the last 90 days`;
	if (carts === 0) return <p>{`None of ${sales} has lines that could use rules of their own.`}</p>;
	return (
		<>
			<p>
				{`With today\u2019s rules, ${changed} of ${plural(carts, 'cart')} among ${sales} would earn a different commission if each line used its own rule.`}
			</p>
			{changed > 0 && (
				<ul>
					{totals.map(({ currency, whole_cents: whole, by_line_cents: byLine }) => (
						<li
							key={currency}
						>{`${money(whole, currency)} with one rule for the whole sale, ${money(byLine, currency)} with a rule for each line`}</li>
					))}
				</ul>
			)}
		</>
	);
}
