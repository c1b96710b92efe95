import { coupons } from './coupons.ts';
import { buyers, duplicates, kept, refused } from './answers.ts';
import { applied, decidedOnce, partnersGone } from './applications.ts';
import { attribution, boundaries, funnel, locks, origins } from './customers.ts';
import { notifications, waiting } from './effects.ts';
import { calls } from './calls.ts';
import { claims, namedKeys } from './claims.ts';
import { gone, persons as erasedPersons, storedOnce, unmoved } from './erasures.ts';
import type { Invariant } from './invariant.ts';
import { decisions } from './decisions.ts';
import { addresses, decided, visitors } from './leads.ts';
import { balances, credits, movements, overpaid, reversals } from './ledger.ts';
import { marks, payouts } from './payouts.ts';
import { deeds, kept as keptAsReported, once as oncePaid, received, settled, resumed } from './inbox.ts';
import { aliases, paymentAnswers, payments, reported } from './payments.ts';
import { persons, shown } from './portal.ts';
import { breakdowns, closedMonths, reports, seen } from './reports.ts';
import { earnings, holds, once, refunds } from './sales.ts';
import { payoutSums, summaries, sums } from './sums.ts';
import { customersClicks, places, retiredDays, subIds } from './retired.ts';
import { sources } from './sources.ts';
import { called, noted } from './postbacks.ts';
import { webhooks } from './webhooks.ts';

/** Checked after each step. */
export const INVARIANTS: readonly Invariant[] = [
	balances,
	movements,
	credits,
	reversals,
	overpaid,
	payouts,
	payoutSums,
	marks,
	once,
	earnings,
	decisions,
	coupons,
	holds,
	refunds,
	waiting,
	notifications,
	webhooks,
	noted,
	called,
	attribution,
	origins,
	locks,
	funnel,
	boundaries,
	claims,
	namedKeys,
	decided,
	visitors,
	addresses,
	kept,
	refused,
	duplicates,
	buyers,
	reports,
	breakdowns,
	closedMonths,
	sums,
	summaries,
	seen,
	persons,
	shown,
	decidedOnce,
	applied,
	partnersGone,
	sources,
	aliases,
	payments,
	paymentAnswers,
	reported,
	received,
	settled,
	resumed,
	calls,
	deeds,
	oncePaid,
	keptAsReported,
	erasedPersons,
	gone,
	storedOnce,
	unmoved,
	places,
	retiredDays,
	customersClicks,
	subIds,
];
