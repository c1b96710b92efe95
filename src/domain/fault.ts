/** A fault that the contract gives a message of its own: it goes on the wire as a 500, its cause into the log. */
export class Fault extends Error {
	constructor(message: string, cause: unknown) {
		super(message, { cause });
		this.name = 'Fault';
	}
}
