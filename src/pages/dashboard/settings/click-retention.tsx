import { useState } from 'react';
import { Button } from 'react-aria-components';
import { leastRetentionDays, MOST_RETENTION_DAYS } from '../../../domain/attribution/click-retention.ts';
import { count, dayOfYear, fileSize, plural } from '../../format.ts';
import { Confirm } from '../../ui/dialogs.tsx';
import { Field } from '../../ui/field.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, Facts } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';
import { clearsClicks, dayProblem, parsedDays } from './retention-days.ts';
import { useChangeProgram } from './use-change-program.ts';

export function ClickRetention() {
	const { program, can } = useProgram();
	const { click_retention_days: days, retired_clicks: retired } = program;
	const isLost = !retired.are_in_files;
	return (
		<Card title="How long clicks are kept" actions={<Badge>{days === null ? 'For ever' : plural(days, 'day')}</Badge>}>
			<div className="stack">
				<p className="description">
					{`${days === null ? 'If you choose a number of days, older clicks' : 'Older clicks'} leave the database, which keeps it small. ${isLost ? 'They are deleted permanently, because the service has no bucket to store them in.' : 'They are moved to compressed files in the service’s bucket.'} Figures, commissions and clicks that led to a customer are kept.`}
				</p>
				<ClickFacts />
				{can('admin') && <RetentionForm key={days} />}
			</div>
		</Card>
	);
}

function ClickFacts() {
	const { program } = useProgram();
	const { kept_clicks: kept, retired_clicks: retired } = program;
	const { until, clicks, deleted, bytes } = retired;
	const filed = clicks - deleted;
	return (
		<Facts
			facts={[
				[
					'In the database',
					kept.since === null
						? 'No clicks'
						: `${plural(kept.clicks, 'click')} since ${dayOfYear(kept.since)}, about ${fileSize(kept.bytes)}`,
				],
				['Retired', until !== null && `${plural(clicks, 'click')}, up to ${dayOfYear(until)}`],
				['In files', filed > 0 && `${plural(filed, 'click')}, ${fileSize(bytes)}`],
				['Deleted', deleted > 0 && plural(deleted, 'click')],
			]}
		/>
	);
}

type Kept = 'for_ever' | 'days';

function RetentionForm() {
	const { program } = useProgram();
	const { click_retention_days: stored, cookie_window_days: window } = program;
	const least = leastRetentionDays(window);
	const [kept, setKept] = useState<Kept>(stored === null ? 'for_ever' : 'days');
	const [text, setText] = useState(String(stored ?? Math.max(least, 365)));
	const days = kept === 'for_ever' ? null : parsedDays(text, least);
	return (
		<>
			<Choice
				label="Keep clicks"
				options={[
					{ value: 'for_ever', label: 'For ever' },
					{ value: 'days', label: 'For a number of days' },
				]}
				value={kept}
				onChange={setKept}
			/>
			{kept === 'days' && (
				<Field
					label="Days"
					value={text}
					onChange={setText}
					inputMode="numeric"
					validationBehavior="aria"
					validate={(entered) => dayProblem(entered, least)}
					description={`From ${count(least)}, a week longer than the attribution window, to ${count(MOST_RETENTION_DAYS)}.`}
				/>
			)}
			<Save days={days} />
		</>
	);
}

/** Asks for confirmation if clicks would leave the database. Undefined days are invalid. */
function Save({ days }: { days: number | null | undefined }) {
	const { program } = useProgram();
	const stored = program.click_retention_days;
	const change = useChangeProgram();
	const isLost = !program.retired_clicks.are_in_files;
	const save = () => change.mutate({ click_retention_days: days ?? null });
	const className = 'react-aria-Button primary';
	if (days === undefined || days === null || !clearsClicks(stored, days)) {
		return (
			<div className="actions">
				<Button className={className} isDisabled={days === undefined || days === stored} isPending={change.isPending} onPress={save}>
					Save
				</Button>
			</div>
		);
	}
	return (
		<div className="actions">
			<Confirm
				trigger={
					<Button className={className} isPending={change.isPending}>
						Save
					</Button>
				}
				title={isLost ? 'Delete older clicks?' : 'Move older clicks to files?'}
				action={isLost ? 'Delete them' : 'Move them'}
				isDangerous={isLost}
				isPending={change.isPending}
				onConfirm={save}
			>
				<Consequences days={days} />
			</Confirm>
		</div>
	);
}

function Consequences({ days }: { days: number }) {
	const { program } = useProgram();
	return (
		<>
			<p>{`Clicks older than ${plural(days, 'day')} leave the database. This starts within minutes and then repeats every day.`}</p>
			<ul>
				<li>
					{program.retired_clicks.are_in_files
						? 'They are moved to compressed files. They do not return to the database, even if you choose a longer period later.'
						: 'They are deleted permanently. This cannot be undone. To keep them in files instead, first ask the operator of the service to set up a bucket.'}
				</li>
				<li>Reports, commissions, balances and payouts stay the same, to the cent.</li>
				<li>Clicks that led to a customer are kept.</li>
			</ul>
		</>
	);
}
