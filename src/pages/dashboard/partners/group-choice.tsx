import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../../ui/fields.tsx';
import { useProgram } from '../use-program.ts';
import { groupsQuery } from './queries.ts';

interface GroupChoiceProps {
	readonly label?: string;
	/** The label for no group. */
	readonly none: string;
	readonly description?: string;
	readonly defaultId?: number | null | undefined;
}

/** Read it with `groupOf`. */
export function GroupChoice({ label = 'Group', none, description, defaultId }: GroupChoiceProps) {
	const { programId } = useProgram();
	const { data: groups = [] } = useQuery(groupsQuery(programId));
	const [value, setValue] = useState(String(defaultId ?? ''));
	// The selected group stays selectable even if it was not loaded.
	const isListed = value === '' || groups.some(({ id }) => String(id) === value);
	const unlisted = isListed ? [] : [{ value, label: `Group ${value}` }];
	return (
		<Choice
			label={label}
			name="group_id"
			description={description}
			options={[{ value: '', label: none }, ...groups.map(({ id, name }) => ({ value: String(id), label: name })), ...unlisted]}
			value={value}
			onChange={setValue}
		/>
	);
}

export function groupOf(fields: FormData): number | undefined {
	return Number(fields.get('group_id')) || undefined;
}
