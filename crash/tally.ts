import { acknowledgements, foundRecorded, type Intent, type Kind, KINDS, wasUnknown } from './journal.ts';

/** What the comparison of journal and database found, per kind of write. */
export interface Tally {
	acknowledged: number;
	/** Sent when the server died: no answer. */
	unknown: number;
	/** Of those the ones that were recorded all the same, as the repetition was told. */
	recordedUnanswered: number;
	/** Told on purpose again, and recognised. */
	repetitions: number;
	lost: number;
	doubled: number;
	/** Stored with other values, or answered as it never should be. */
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

	/** Notes what must not be. */
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
