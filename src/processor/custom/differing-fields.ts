import { type CustomEvent, customEventIn } from './body.ts';

/**
 * How a repeated event differs from the first one with its webhook-id (decision 54). A new `timestamp` counts only for a dispute, whose
 * latest event decides. Erased fields never differ.
 */
export function differingFields(first: unknown, again: unknown): string[] {
	const [known, repeated] = [customEventIn(first), customEventIn(again)];
	if ('problem' in known || 'problem' in repeated) return [];
	const [facts, others] = [factsOf(known.event), factsOf(repeated.event)];
	const names = [...new Set([...facts.keys(), ...others.keys()])];
	return names.filter((name) => facts.get(name) !== others.get(name) && !isErased(facts.get(name)));
}

type Fact = string | number | boolean | undefined;

function factsOf({ type, test, timestamp, data }: CustomEvent): ReadonlyMap<string, Fact> {
	const fields = Object.entries<Fact>(data).filter(([, value]) => value !== undefined);
	return new Map<string, Fact>([
		['type', type],
		['test', test],
		...(type === 'dispute' ? [['timestamp', timestamp] as const] : []),
		...fields.map(([name, value]) => [`data.${name}`, value] as const),
	]);
}

function isErased(fact: Fact): boolean {
	return typeof fact === 'string' && /^erased(_|$)/.test(fact);
}
