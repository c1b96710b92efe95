import { ApiFault, failureOf } from './cloudflare.ts';

/** Prints and runs each step; a dry run only prints it. Cloudflare faults become messages that say what to do. */
export class Steps {
	readonly #isDry: boolean;
	readonly #say: (text: string) => void;
	readonly #account: string | undefined;
	readonly #done: string[] = [];

	constructor(isDry: boolean, say: (text: string) => void, account: string | undefined) {
		this.#isDry = isDry;
		this.#say = say;
		this.#account = account;
	}

	/** The completed steps, as printed. */
	get done(): readonly string[] {
		return this.#done;
	}

	/** Returns undefined in a dry run. */
	async do<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result | undefined> {
		this.#say(this.#isDry ? `would ${what}` : `> ${what}`);
		if (this.#isDry) return undefined;
		const result = await this.look(`Could not ${what}`, work);
		this.#done.push(what);
		return result;
	}

	async look<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
		try {
			return await work();
		} catch (error) {
			throw error instanceof ApiFault ? failureOf(what, error, this.#account) : error;
		}
	}

	there<Found>(what: string, found: Found): Found {
		this.#say(`${this.#isDry ? '      ' : '  '}exists: ${what}`);
		return found;
	}
}
