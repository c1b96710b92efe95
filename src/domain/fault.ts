/** A fault (500) whose message the contract defines. Its cause is logged where it is caught. */
export class Fault extends Error {
	override readonly name = 'Fault';
}
