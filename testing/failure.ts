/** An error that the user can correct. It is printed without a stack trace. */
export class Failure extends Error {
	readonly exitCode: number;

	constructor(message: string, exitCode = 1) {
		super(message);
		this.exitCode = exitCode;
	}
}

/** Runs a script and exits with the code that it returns. A failure exits with its own code, any other error with 1. */
export async function runScript(main: () => Promise<number>): Promise<never> {
	try {
		process.exit(await main());
	} catch (error) {
		console.error(error instanceof Failure ? `\n${error.message}` : error);
		process.exit(error instanceof Failure ? error.exitCode : 1);
	}
}
