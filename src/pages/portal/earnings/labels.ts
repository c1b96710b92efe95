import type { CommissionState } from '../../labels/commission.tsx';

export const MEANINGS: Readonly<Record<CommissionState, string>> = {
	pending: 'These sales can still be returned. Each commission is yours when its hold is over: there is nothing to do.',
	approved: 'These are yours, and will be in an upcoming payout.',
	paid: 'These are in payouts. Each is on its way until its payout is sent, and paid from then on.',
	refunded: 'A part of each sale was refunded. The sum is what is left for you.',
	reversed: 'The whole sale was refunded, so nothing of it is left to earn.',
	rejected: 'The program took these back, and says why. Ask whoever runs it if you see it differently.',
};
