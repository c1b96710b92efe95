import type { CommissionState } from '../../labels/commission.tsx';

export const MEANINGS: Readonly<Record<CommissionState, string>> = {
	pending: 'These sales can still be refunded. Each commission becomes available when its hold ends. You do not need to do anything.',
	approved: 'These will be in an upcoming payout.',
	paid: 'These are in payouts. A commission is on its way until its payout is sent, and then it is paid.',
	refunded: 'Part of each sale was refunded. The sum is what you still earn.',
	reversed: 'The whole sale was refunded, so it earns nothing.',
	rejected: 'The program rejected these and gave a reason. Contact the program if you disagree.',
};
