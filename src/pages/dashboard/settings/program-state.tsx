import { Button } from 'react-aria-components';
import { Confirm } from '../../ui/dialogs.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge } from '../../ui/small.tsx';
import { useProgram } from '../use-program.ts';
import { useChangeProgram } from './use-change-program.ts';
import { useArchive, useRestore } from './use-archive.ts';

/** Separate from the other settings, because each button starts or stops all tracking. */
export function ProgramState() {
	const { program, can } = useProgram();
	return (
		<Card title="State" actions={<StateBadge />}>
			<div className="stack tight">
				<p className="description">{aboutState(program)}</p>
				<div className="actions">
					{can('admin') && program.archived_at === null && (program.active ? <Stop /> : <Start />)}
					{can('owner') && (program.archived_at === null ? <Archive /> : <Restore />)}
				</div>
			</div>
		</Card>
	);
}

function StateBadge() {
	const { program } = useProgram();
	if (program.archived_at !== null) return <Badge tone="warn">Archived</Badge>;
	return program.active ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Not active</Badge>;
}

function aboutState({ active, archived_at: archivedAt }: { active: boolean; archived_at: string | null }): string {
	if (archivedAt !== null) return 'It records nothing new. Refunds still count, and you can still pay partners and read reports.';
	if (active) return 'Its links and keys work.';
	return 'Its links and keys do not work, so nothing new is recorded. All figures are kept.';
}

function Stop() {
	const { program } = useProgram();
	const change = useChangeProgram();
	return (
		<Confirm
			trigger={<Button className="react-aria-Button danger">Stop the program</Button>}
			title={`Stop ${program.name}?`}
			action="Stop it"
			isDangerous
			isPending={change.isPending}
			onConfirm={() => change.mutate({ active: false })}
		>
			<p>
				Its links will stop working and its keys will be refused. Clicks, leads and sales are not recorded until you start the program
				again. Figures, commissions and balances are kept.
			</p>
		</Confirm>
	);
}

function Start() {
	const change = useChangeProgram();
	return (
		<Button className="react-aria-Button primary" isPending={change.isPending} onPress={() => change.mutate({ active: true })}>
			Start the program again
		</Button>
	);
}

function Archive() {
	const { programId, program } = useProgram();
	const archive = useArchive(programId);
	return (
		<Confirm
			trigger={<Button className="react-aria-Button danger">Archive the program</Button>}
			title={`Archive ${program.name}?`}
			action="Archive it"
			isDangerous
			isPending={archive.isPending}
			onConfirm={() => archive.mutate()}
		>
			<ul>
				<li>It records no more clicks, leads and sales, and its keys are refused.</li>
				<li>It leaves the program menu. You find it on the Team page, under “Archived programs”.</li>
				<li>Refunds and disputes from payment processors still count.</li>
				<li>Payouts, reports and the partner portal work as before.</li>
				<li>Nothing is deleted, and its links stay reserved. An owner can restore it.</li>
			</ul>
		</Confirm>
	);
}

function Restore() {
	const { programId } = useProgram();
	const restore = useRestore(programId);
	return (
		<Button className="react-aria-Button primary" isPending={restore.isPending} onPress={() => restore.mutate()}>
			Restore the program
		</Button>
	);
}
