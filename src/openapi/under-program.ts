import { programErrors } from './errors.ts';
import type { Operation } from './operation.ts';
import type { TagName } from './tags.ts';

const FOR = { member: '', admin: ' For owners and admins.', owner: ' For owners.' } as const;

/** A route under a program, without what they all have. */
interface ProgramRoute extends Omit<Operation, 'path' | 'tag' | 'caller'> {
	/** Below the path of its file. */
	readonly path?: string;
	/** What the caller has to be in the workspace of the program. */
	readonly atLeast: keyof typeof FOR;
}

/** Routes under /api/v1/programs/:id, for signed-in members. Their examples are of program 1, where they name no other. */
export function underProgram(tag: TagName, base: string, routes: readonly ProgramRoute[]): readonly Operation[] {
	return routes.map(({ path = '', atLeast, description, params, errors = [], examples, ...route }) => ({
		...route,
		path: `/api/v1/programs/:id${base}${path}`,
		tag,
		caller: 'session',
		description: `${description}${FOR[atLeast]}`,
		params: { id: 'Number of the program.', ...params },
		errors: [...programErrors(atLeast), ...errors],
		examples: examples.map((example) => ({ ...example, params: { id: 1, ...example.params } })),
	}));
}
