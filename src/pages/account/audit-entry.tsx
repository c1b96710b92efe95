import { answerOf, api } from '../api.ts';
import { moment } from '../format.ts';
import { Facts } from '../ui/small.tsx';

/** Entries about the person's own account, which no workspace's log has. */
export async function listOwnEntries(cursor: string | undefined, signal: AbortSignal) {
	return answerOf(api.v1.me['audit-log'].$get({ query: { cursor, total: 'true' } }, { init: { signal } }));
}

export type AuditEntry = Awaited<ReturnType<typeof listOwnEntries>>['data'][number];

/** "program_key.rotate" is "Program key: rotate". */
export function wordsOf(action: string): string {
	const words = action.replaceAll('_', ' ').replace('.', ': ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

export function AuditFacts({ entry, zone }: { entry: AuditEntry; zone?: string }) {
	const detail = Object.entries(entry.detail ?? {});
	return (
		<>
			<Facts
				facts={[
					['When', moment(entry.at, zone)],
					['Who', entry.user && `${entry.user.name}, ${entry.user.email}`],
					['IP address', entry.address],
					['Program', entry.program_id],
					['Subject ID', entry.subject_id],
				]}
			/>
			{detail.length > 0 && (
				<>
					<h3>Details</h3>
					<Facts
						facts={detail.map(([name, value]) => [name.replaceAll('_', ' '), typeof value === 'string' ? value : JSON.stringify(value)])}
					/>
				</>
			)}
		</>
	);
}
