import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { archivedProgramsQuery, programsQuery } from '../queries.ts';

/** `none` is shown for no program. */
export function ProgramName({ id, none = null }: { id: number | null; none?: ReactNode }) {
	const { data: programs } = useSuspenseQuery(programsQuery);
	const { data: archived = [] } = useQuery(archivedProgramsQuery);
	if (id === null) return none;
	return <span className="cut">{[...programs, ...archived].find((program) => program.id === id)?.name ?? id}</span>;
}
