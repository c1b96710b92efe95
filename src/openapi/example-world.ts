/**
 * The data for the examples, which are sent one after the other, in the order of the document. Apart from the values of the
 * interface, it contains:
 * - workspace 1 of Ada, the owner, with program 1 (`Example shop`) and program 2 (`Second shop`); somebody who leaves, with
 *   workspace 2 and program 3; somebody with a link to reset a forgotten password;
 * - partners 1 (`pat`, who signs in and is paid by PayPal), 2 (`quinn`), 3 (`robin`, to be removed) and 4 (`pia`, whose
 *   invitation the guest accepts); links 1 to 3 of the first three, 4 (`pat-summer`) and 5 (`pat-old`, to be archived);
 * - coupons 1 (`PAT20`), 2 and 3 (`PAT-OLD`, to be archived) of partner 1;
 * - rules 1 to 3 of the three programs (20 %), 4 (`gift-card`, 5.00 USD after 30 days) and 5 (`sticker`, to be archived);
 * - customer `user-1001` of partner 1 with the sales `order-1001` to `order-1003`, `order-1004` to `order-1006` on hold, and
 *   `order-1007`, paid and then refunded, which notification 10 warns about; customer `user-zoe`, to be erased;
 * - Stripe, connected to program 1, with event 1 in the inbox;
 * - dead letters 1, a click, and 2, of an unknown kind;
 * - a guest with workspace 3; members 4 (`mia@people.example`) and 5 (to be removed) of workspace 1; its invitations for
 *   members, of which 8 is to be withdrawn;
 * - webhook 1 of program 1, which has received the test event 1;
 * - the forms of program 1 (`example-shop`, with terms) and program 2 (`second-shop`, closed); applications 1 to 5 to program 1.
 */
export interface ExampleWorld {
	/** A click of link 1 with a customer. */
	readonly clickId: string;
	/** Clicks of link 1 without a lead. */
	readonly newClickIds: readonly [string, string];
	readonly resetToken: string;
}

export const INVITATIONS = {
	ofOtto: `inv_${'0123456789'.repeat(4)}`,
	ofGuest: `inv_${'1234567890'.repeat(4)}`,
	ofPia: `inv_${'3456789012'.repeat(4)}`,
	expired: `inv_${'2345678901'.repeat(4)}`,
} as const;
