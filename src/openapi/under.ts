import { type ErrorDoc, partnerProgramErrors, programErrors, workspaceErrors } from './errors.ts';
import type { Operation } from './operation.ts';
import type { TagName } from './tags.ts';

const FOR = { member: '', admin: ' For owners and admins.', owner: ' For owners.', ended: '', suspended: '', active: '' } as const;

type Role = 'member' | 'admin' | 'owner';
type Status = 'ended' | 'suspended' | 'active';

/** A route without the parts that all routes under its program, workspace or partner-program share. */
interface InnerRoute<Least> extends Omit<Operation, 'path' | 'tag' | 'caller'> {
	/** Appended to the base path. */
	readonly path?: string;
	/** The lowest role or status that may call. */
	readonly atLeast: Least;
}

/** Routes for members. Examples use program 1 by default. */
export function underProgram(tag: TagName, base: string, routes: readonly InnerRoute<Role>[]): readonly Operation[] {
	return under({ tag, base: `/api/v1/programs/:id${base}`, id: "The program's id.", errorsFor: programErrors }, routes);
}

export function underWorkspace(base: string, routes: readonly InnerRoute<Role>[]): readonly Operation[] {
	const above = { tag: 'Workspaces', base: `/api/v1/workspaces/:id${base}`, id: "The workspace's id." } as const;
	return under({ ...above, errorsFor: workspaceErrors }, routes);
}

/** Routes for the partner. Examples use partner-program 1. */
export function underPartnerProgram(base: string, routes: readonly InnerRoute<Status>[]): readonly Operation[] {
	const above = { tag: 'Own earnings', base: `/api/v1/partner-programs/:id${base}`, id: "The membership's id." } as const;
	const operations = under({ ...above, errorsFor: partnerProgramErrors }, routes);
	return operations.map((operation) => ({
		...operation,
		examples: operation.examples.map((example) => ({ as: 'partner' as const, ...example })),
	}));
}

export function routesFor(
	shared: Pick<Operation, 'tag' | 'caller' | 'isLimited'>,
	routes: readonly Omit<Operation, 'tag' | 'caller'>[],
): readonly Operation[] {
	return routes.map((route) => ({ ...shared, ...route }));
}

interface Above<Least> {
	readonly tag: TagName;
	readonly base: string;
	readonly id: string;
	readonly errorsFor: (atLeast: Least) => readonly ErrorDoc[];
}

function under<Least extends Role | Status>(
	{ tag, base, id, errorsFor }: Above<Least>,
	routes: readonly InnerRoute<Least>[],
): readonly Operation[] {
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
