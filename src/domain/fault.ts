/** A fault that the contract gives a message of its own: it goes on the wire as a 500. Its cause is logged where it is met. */
export class Fault extends Error {
	override readonly name = 'Fault';
}
