import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../../start/status.ts';
import { useProgram } from '../../use-program.ts';

/** Problems that the service's checks have found. */
export function Findings({ names }: { names: readonly string[] }) {
	const { programId } = useProgram();
	const { data } = useQuery(statusQuery(programId));
	return data?.checks
		.filter(({ name, ok }) => !ok && names.includes(name))
		.map(({ name, next_action }) => (
			<p key={name} className="note warn wrap">
				{next_action}
			</p>
		));
}
