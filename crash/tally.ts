import { acknowledgements, foundRecorded, type Intent, type Kind, KINDS, wasUnknown } from './journal.ts';

/** The differences between journal and database, per kind of write. */
export interface Tally {
	acknowledged: number;
	/** Writes that got no response because the server died. */
	unknown: number;
	/** Writes that got no response, but were found recorded when repeated. */
	recordedUnanswered: number;
	/** Writes that were repeated on purpose and recognised. */
	repetitions: number;
	lost: number;
	doubled: number;
	/** Writes stored with other values, or whose response had an unexpected status. */
	wrong: number;
}

export class Findings {
	readonly tallies: Readonly<Record<Kind, Tally>>;
	readonly details: string[] = [];

	constructor(intents: readonly Intent[]) {
		this.tallies = Object.fromEntries(KINDS.map((kind) => [kind, tallyOf(intents.filter((intent) => intent.kind === kind))])) as Record<
			Kind,
			Tally
		>;
	}

	add(intent: Intent, what: 'lost' | 'doubled' | 'wrong', detail: string): void {
		this.tallies[intent.kind][what] += 1;
		this.details.push(`${intent.kind} ${what}: ${detail}; answers ${JSON.stringify(intent.answers)}`);
	}

	get acknowledged(): number {
		return KINDS.reduce((sum, kind) => sum + this.tallies[kind].acknowledged, 0);
	}
}

function tallyOf(intents: readonly Intent[]): Tally {
	const count = (holds: (intent: Intent) => boolean) => intents.filter(holds).length;
	return {
		acknowledged: count((intent) => acknowledgements(intent).length > 0),
		unknown: count(wasUnknown),
		recordedUnanswered: count((intent) => wasUnknown(intent) && acknowledgements(intent).length === 0 && foundRecorded(intent)),
		repetitions: count((intent) => acknowledgements(intent).length > 0 && foundRecorded(intent)),
		lost: 0,
		doubled: 0,
		wrong: 0,
	};
}
