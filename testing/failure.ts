/** What a person can put right: shown as it is, without a stack. */
export class Failure extends Error {
	readonly exitCode: number;

	constructor(message: string, exitCode = 1) {
		super(message);
		this.exitCode = exitCode;
	}
}

/** Runs a script: its number is the exit code. A failure is shown and ends in its own code, anything else in 1. */
export async function runScript(main: () => Promise<number>): Promise<never> {
	try {
		process.exit(await main());
	} catch (error) {
		console.error(error instanceof Failure ? `\n${error.message}` : error);
		process.exit(error instanceof Failure ? error.exitCode : 1);
	}
}
