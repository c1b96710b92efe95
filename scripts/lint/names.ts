// The linter rule names/glossary. It refuses the words under "Refused in names" in docs/glossary.md.

const INSTEAD: Readonly<Record<string, string>> = {
	tell: 'report, notify or send',
	tells: 'report, notify or send',
	telling: 'report, notify or send',
	told: 'reported, notified or sent',
	untold: 'unreported or unsent',
	teller: 'generator',
	letter: 'email',
	letters: 'emails',
	outlet: 'channel',
	freeze: 'snapshot',
	frozen: 'snapshot',
	recall: 'cacheGet',
	unearned: 'uncredited',
	'stand in': 'pseudonym or placeholder',
	'stand ins': 'pseudonyms or placeholders',
	'moved figures': 'metric deltas',
	'watched chain': 'integration progress',
};

/** Outlet is a React Router component. Columns and fields that have shipped are in snake_case. */
const EXEMPT = /^Outlet$|^[a-z]+(_[a-z]+)+$/;

/** The complaint, with the word to use instead; undefined if the identifier contains no refused word. */
export function complaintAboutName(name: string): string | undefined {
	if (EXEMPT.test(name)) return undefined;
	const words = name
		.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
		.replaceAll('_', ' ')
		.toLowerCase()
		.replaceAll(/\bdead letter/g, 'dead-letter');
	const word = Object.keys(INSTEAD).find((refused) => ` ${words} `.includes(` ${refused} `));
	return word === undefined ? undefined : `${name}: not "${word}" but ${String(INSTEAD[word])}: see docs/glossary.md`;
}

/** Fields in responses, saved searches and page URLs that shipped before the word was refused. */
const SHIPPED_FIELDS = ['letter', 'letters'];

interface Linted {
	readonly report: (complaint: { readonly node: unknown; readonly message: string }) => void;
}

interface Named {
	readonly name: string;
	readonly parent: Parent;
}

type Parent =
	| { readonly type: 'Property'; readonly key: unknown }
	| { readonly type: 'MemberExpression'; readonly property: unknown }
	| { readonly type: undefined };

function isShippedField(node: Named): boolean {
	if (!SHIPPED_FIELDS.includes(node.name)) return false;
	const { parent } = node;
	return (parent.type === 'Property' && parent.key === node) || (parent.type === 'MemberExpression' && parent.property === node);
}

function create({ report }: Linted) {
	return {
		Identifier: (node: Named) => {
			if (isShippedField(node)) return;
			const message = complaintAboutName(node.name);
			if (message !== undefined) report({ node, message });
		},
	};
}

export default { meta: { name: 'names' }, rules: { glossary: { meta: {}, create } } };
