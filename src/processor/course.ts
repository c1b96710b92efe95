import type { Context } from '../context.ts';
import { refusedWith, type Statement } from '../db/client.ts';
import type { BindingFact, ProcessorEvent } from '../domain/processor-event.ts';
import { type EventOutcome, type FactOutcome, outcomeOf } from '../domain/processor-outcome.ts';
import type { Along } from '../inbox/along.ts';
import type { MadeSale } from '../payments/record-payment.ts';
import { bindProcessorIds } from './bind-processor-ids.ts';
import type { InboxEvent } from './inbox-event.ts';
import { settling } from './settle-event.ts';
import { wokenIn } from '../inbox/wake-events.ts';

/**
 * What an event has come to so far, fact by fact. What the last of them writes takes along all that settles the event: both stand
 * or neither does.
 */
export class Course {
	readonly #ctx: Context;
	readonly #event: InboxEvent;
	readonly #said: ProcessorEvent;
	readonly #outcomes: FactOutcome[] = [];
	readonly #bindings: BindingFact[] = [];
	#woken: readonly number[] | undefined;

	constructor(ctx: Context, event: InboxEvent, said: ProcessorEvent) {
		this.#ctx = ctx;
		this.#event = event;
		this.#said = said;
	}

	get outcome(): EventOutcome {
		return outcomeOf(this.#outcomes, this.#said.summary, this.#event.isTest);
	}

	/** The events that were woken by the batch that settled this one; undefined while it is not settled. */
	get woken(): readonly number[] | undefined {
		return this.#woken;
	}

	add(outcome: FactOutcome): void {
		this.#outcomes.push(outcome);
	}

	/** To be remembered with whatever is written next. */
	bind(binding: BindingFact): void {
		this.#bindings.push(binding);
	}

	/** What the event told and nothing has written yet. Whoever waits for an id of `told` is woken by that already. */
	unwritten(told: readonly string[] = []): Statement[] {
		return this.#bindings.flatMap((binding) => bindProcessorIds(this.#ctx, this.#event, binding, told));
	}

	/** What goes along with the writes of the fact in hand, whose outcome that would be; undefined where others come after it. */
	along<Receipt>(
		outcomeFor: (receipt: Receipt) => FactOutcome,
		madeBy: (receipt: Receipt) => MadeSale | undefined = () => undefined,
	): Along<Receipt> | undefined {
		if (this.#outcomes.length + 1 < this.#said.facts.length) return undefined;
		return {
			statements: (receipt) => this.#settling(outcomeFor(receipt), madeBy(receipt)),
			written: (answers) => {
				this.#woken = wokenIn(answers);
			},
			isOvertaken: (error) => refusedWith(error, 'stale revision: processor_events'),
		};
	}

	#settling(outcome: FactOutcome, made: MadeSale | undefined): Statement[] {
		const settled = outcomeOf([...this.#outcomes, outcome], this.#said.summary, this.#event.isTest);
		if (settled.state === 'waiting') throw new Error('What waits has nothing to write');
		return [...this.unwritten(settled.told), ...settling(this.#ctx, this.#event, settled, made)];
	}
}
