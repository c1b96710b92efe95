import { type ErrorDoc, programErrors, workspaceErrors } from './errors.ts';
import type { Operation } from './operation.ts';
import type { TagName } from './tags.ts';

const FOR = { member: '', admin: ' For owners and admins.', owner: ' For owners.' } as const;

/** A route under a program or workspace, without what they all have. */
interface InnerRoute extends Omit<Operation, 'path' | 'tag' | 'caller'> {
	/** Below the path of its file. */
	readonly path?: string;
	/** What the caller has to be in the workspace. */
	readonly atLeast: keyof typeof FOR;
}

/** Routes under /api/v1/programs/:id, for signed-in members. Their examples are of program 1, where they name no other. */
export function underProgram(tag: TagName, base: string, routes: readonly InnerRoute[]): readonly Operation[] {
	return under({ tag, base: `/api/v1/programs/:id${base}`, id: 'Number of the program.', errorsFor: programErrors }, routes);
}

/** The same of a workspace. */
export function underWorkspace(base: string, routes: readonly InnerRoute[]): readonly Operation[] {
	const above = { tag: 'Workspaces', base: `/api/v1/workspaces/:id${base}`, id: 'Number of the workspace.' } as const;
	return under({ ...above, errorsFor: workspaceErrors }, routes);
}

/** Routes of one chapter that the same callers may call. */
export function routesFor(
	shared: Pick<Operation, 'tag' | 'caller' | 'isLimited'>,
	routes: readonly Omit<Operation, 'tag' | 'caller'>[],
): readonly Operation[] {
	return routes.map((route) => ({ ...shared, ...route }));
}

interface Above {
	readonly tag: TagName;
	readonly base: string;
	/** What `:id` is. */
	readonly id: string;
	readonly errorsFor: (atLeast: keyof typeof FOR) => readonly ErrorDoc[];
}

function under({ tag, base, id, errorsFor }: Above, routes: readonly InnerRoute[]): readonly Operation[] {
	return routes.map(({ path = '', atLeast, description, params, errors = [], examples, ...route }) => ({
		...route,
		path: `${base}${path}`,
		tag,
		caller: 'session',
		description: `${description}${FOR[atLeast]}`,
		params: { id, ...params },
		errors: [...errorsFor(atLeast), ...errors],
		examples: examples.map((example) => ({ ...example, params: { id: 1, ...example.params } })),
	}));
}
