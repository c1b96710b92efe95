import type { RunKind } from '../domain/run.ts';
import { planApproval, planRejection } from '../commissions/decision-slice.ts';
import { planPaySlice } from '../payouts/pay-slice.ts';
import type { PlanSlice } from '../runs/run.ts';

export const SLICES: Readonly<Record<RunKind, PlanSlice>> = {
	pay: planPaySlice,
	approve: planApproval,
	reject: planRejection,
};
