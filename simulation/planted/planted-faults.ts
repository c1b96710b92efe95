import { IN_ATTRIBUTION } from './in-attribution.ts';
import { IN_CLAIMS } from './in-claims.ts';
import { IN_CUSTOM } from './in-custom.ts';
import { IN_CUSTOMERS } from './in-customers.ts';
import { IN_ERASURES } from './in-erasures.ts';
import { IN_LINES } from './in-lines.ts';
import { IN_MESSAGES } from './in-messages.ts';
import { IN_MONTHS } from './in-months.ts';
import { IN_DIMENSIONS } from './in-moved-values.ts';
import { IN_METRIC_DELTAS } from './in-metric-deltas.ts';
import { IN_OWN_IDS } from './in-own-ids.ts';
import { IN_PADDLE } from './in-paddle.ts';
import { IN_PAYMENTS } from './in-payments.ts';
import { IN_PAYMENT_INTENTS } from './in-payment-intents.ts';
import { IN_PAYOUTS } from './in-payouts.ts';
import { IN_PORTAL } from './in-portal.ts';
import { IN_REFUNDS } from './in-refunds.ts';
import { IN_REPORTS } from './in-reports.ts';
import { IN_REVERSALS } from './in-reversals.ts';
import { IN_RETIREMENT } from './in-retirement.ts';
import { IN_SALES } from './in-sales.ts';
import { IN_STRIPE } from './in-stripe.ts';
import { IN_SUMS } from './in-sums.ts';
import type { PlantedFault } from './planted-fault.ts';

/** Each fault is planted alone, in its own process, to prove that the harness finds bugs. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
	...IN_SALES,
	...IN_LINES,
	...IN_REFUNDS,
	...IN_PAYOUTS,
	...IN_MESSAGES,
	...IN_CUSTOMERS,
	...IN_CLAIMS,
	...IN_METRIC_DELTAS,
	...IN_DIMENSIONS,
	...IN_REPORTS,
	...IN_MONTHS,
	...IN_SUMS,
	...IN_PAYMENTS,
	...IN_REVERSALS,
	...IN_STRIPE,
	...IN_PAYMENT_INTENTS,
	...IN_CUSTOM,
	...IN_OWN_IDS,
	...IN_PADDLE,
	...IN_ATTRIBUTION,
	...IN_PORTAL,
	...IN_ERASURES,
	...IN_RETIREMENT,
];
