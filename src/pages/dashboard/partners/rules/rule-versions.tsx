import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { moment } from '../../../format.ts';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { useProgram } from '../../use-program.ts';
import type { Rule } from './rule-queries.ts';
import { earnsOf } from '../../../labels/rate.ts';
import { conditionsOf } from './rule-labels.ts';

export function Versions({ rule }: { rule: Rule }) {
	return (
		<DialogButton trigger={<Button className="react-aria-Button link">Version {rule.version}</Button>} title="Versions of this rule">
			{() => <List ruleId={String(rule.id)} />}
		</DialogButton>
	);
}

function List({ ruleId }: { ruleId: string }) {
	const { programId, program } = useProgram();
	const versions = useQuery({
		queryKey: ['rules', programId, ruleId, 'versions'],
		queryFn: ({ signal }) =>
			answerOf(
				api.v1.programs[':id']['commission-rules'][':ruleId'].versions.$get(
					{ param: { id: programId, ruleId }, query: { limit: '50' } },
					{ init: { signal } },
				),
			),
	});
	return (
		<Loaded query={versions}>
			{({ data, meta }) => (
				<div className="stack">
					<ol className="timeline">
						{data.map((version, index) => (
							<li key={version.version}>
								<b>
									Version {version.version}
									{index === 0 && ', in force'}
								</b>{' '}
								<span className="quiet small">{moment(version.created_at, program.time_zone)}</span>
								<div>{earnsOf(version)}</div>
								<div className="quiet small">{conditionsOf(version)}</div>
							</li>
						))}
					</ol>
					{meta.next_cursor !== null && <p className="quiet small">There are older versions.</p>}
					<p className="quiet small">A commission keeps the version that it was calculated with.</p>
				</div>
			)}
		</Loaded>
	);
}
