/** A fault whose message the contract defines: a 500. Its cause is logged where it is caught. */
export class Fault extends Error {
	override readonly name = 'Fault';
}
