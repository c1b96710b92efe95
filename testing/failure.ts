/** An error that the user can correct, printed without a stack trace. */
export class Failure extends Error {
	readonly exitCode: number;

	constructor(message: string, exitCode = 1) {
		super(message);
		this.exitCode = exitCode;
	}
}

/** Exits with the code that the script returns, with a failure's own code, or with 1 for any other error. */
export async function runScript(main: () => Promise<number>): Promise<never> {
	try {
		process.exit(await main());
	} catch (error) {
		console.error(error instanceof Failure ? `\n${error.message}` : error);
		process.exit(error instanceof Failure ? error.exitCode : 1);
	}
}
