import { application, farewell } from './application.ts';
import { claim } from './claim.ts';
import { contest } from './contest.ts';
import { click } from './click.ts';
import { encounter } from './encounter.ts';
import { erase } from './erase.ts';
import { forgive } from './forgive.ts';
import { lead } from './lead.ts';
import type { Operation } from './operation.ts';
import { approve, fail, payout, reject, run, send } from './payout.ts';
import { payment, reversal } from './payment.ts';
import { acceptance, portal } from './portal.ts';
import { forge, processor, reopen } from './processor.ts';
import { join, partner, rule, settings } from './program.ts';
import { race } from './race.ts';
import { retire } from './retire.ts';
import { refund } from './refund.ts';
import { report } from './report.ts';
import { neighbours, twins } from './report-payment.ts';
import { sale } from './sale.ts';
import { start } from './start.ts';
import { sums } from './sums.ts';
import { clock, cron, deliver, replay } from './work.ts';

/** Every operation that can race. */
export const SINGLE: readonly Operation[] = [
	click,
	lead,
	claim,
	sale,
	refund,
	payout,
	run,
	approve,
	reject,
	send,
	fail,
	rule,
	partner,
	join,
	application,
	farewell,
	report,
	sums,
	acceptance,
	portal,
	erase,
	deliver,
	cron,
	clock,
	replay,
	retire,
	payment,
	reversal,
	processor,
	forge,
	reopen,
];

export const OPERATIONS: readonly Operation[] = [...SINGLE, race(SINGLE), contest, forgive, start, encounter, twins, neighbours, settings];
