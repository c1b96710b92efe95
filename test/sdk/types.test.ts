import type Stripe from 'stripe';
import { describe, expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import type { DayRow, performanceOf } from '../../src/domain/reporting/performance.ts';
import type { EVENT_TYPES } from '../../src/domain/reporting/event-position.ts';
import type { PERIODS } from '../../src/domain/reporting/report-range.ts';
import type { statusOnWire } from '../../src/http/cli.ts';
import type { EventQuery } from '../../src/http/event-query.ts';
import type { eventOnWire } from '../../src/http/event-on-wire.ts';
import type { refundAnswer, saleAnswer } from '../../src/http/tracking.ts';
import type { ClickRequest, LeadRequest, RefundRequest, SaleRequest, TestSaleRequest } from '../../src/http/tracking-requests.ts';
import type { RefundAnswer, SaleAnswer } from '../../src/sdk/answers.ts';
import type {
	Click,
	ClickEvent,
	DayOfPerformance,
	EventPageFilter,
	EventType,
	Lead,
	LeadEvent,
	Performance,
	PerformanceMetrics,
	PerformanceQuery,
	ProgramStatus,
	Refund,
	RefundEvent,
	Sale,
	SaleEvent,
	StripeSubscriptionMetadata,
	TestSale,
	TrackedEvent,
} from '../../src/sdk/index.ts';

// The SDK's types are written by hand, so that its users need no zod and can read what each field means. `npm run check:types` compares
// them with the routes' schemas.

/** The keys of all members of a union. */
type KeysOf<Union> = Union extends Union ? keyof Union : never;

/** Two types with the same fields may not count as equal. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

describe('requests', () => {
	test('match the schemas', () => {
		// The type requires one of the two ids; the schema checks that only in code.
		expectTypeOf<{ [Field in KeysOf<Lead>]?: Lead[Field] }>().toEqualTypeOf<Flat<z.input<ReturnType<typeof LeadRequest>>>>();
		expectTypeOf<{ email: string }>().not.toExtend<Lead>();
		// Only pages send cookie_domain. The schema accepts text of any length and truncates it.
		type ClickSchema = z.input<ReturnType<typeof ClickRequest>>;
		expectTypeOf<keyof Click>().toEqualTypeOf<Exclude<keyof ClickSchema, 'cookie_domain'>>();
		expectTypeOf<Click>().toExtend<ClickSchema>();
		expectTypeOf<Flat<Sale>>().toEqualTypeOf<Flat<z.input<ReturnType<typeof SaleRequest>>>>();
		expectTypeOf<Flat<Refund>>().toEqualTypeOf<Flat<z.input<ReturnType<typeof RefundRequest>>>>();
	});

	test('match in test mode too', () => {
		type Schema = z.input<ReturnType<typeof TestSaleRequest>>;
		expectTypeOf<Flat<Omit<TestSale, 'additional_data'>>>().toEqualTypeOf<Flat<Omit<Schema, 'additional_data'>>>();
		expectTypeOf<TestSale>().toExtend<Schema>();
	});

	test('filters have the names of the query', () => {
		// The SDK's filters have only one of the two names that some parameters have.
		type OtherNames = 'dateFrom' | 'dateTo' | 'eventType' | 'page' | 'pageSize';
		expectTypeOf<keyof EventPageFilter | OtherNames>().toEqualTypeOf<keyof z.input<ReturnType<typeof EventQuery>>>();
		expectTypeOf<EventType>().toEqualTypeOf<(typeof EVENT_TYPES)[number]>();
		expectTypeOf<NonNullable<PerformanceQuery['period']>>().toEqualTypeOf<(typeof PERIODS)[number]>();
	});
});

describe('responses match for', () => {
	test('a sale and a refund', () => {
		expectTypeOf<keyof SaleAnswer>().toEqualTypeOf<Exclude<keyof ReturnType<typeof saleAnswer>, 'success'> | 'data' | 'warnings'>();
		expectTypeOf<ReturnType<typeof saleAnswer>>().toExtend<SaleAnswer>();
		expectTypeOf<KeysOf<RefundAnswer>>().toEqualTypeOf<Exclude<KeysOf<ReturnType<typeof refundAnswer>>, 'success'> | 'data' | 'warnings'>();
	});

	test('events', () => {
		type Wire = ReturnType<typeof eventOnWire>;
		expectTypeOf<KeysOf<TrackedEvent>>().toEqualTypeOf<keyof Wire>();
		expectTypeOf<TrackedEvent['type']>().toEqualTypeOf<Wire['type']>();
		expectTypeOf<ClickEvent>().toExtend<Pick<Wire, keyof ClickEvent>>();
		expectTypeOf<LeadEvent>().toExtend<Pick<Wire, keyof LeadEvent>>();
		expectTypeOf<SaleEvent>().toExtend<Pick<Wire, keyof SaleEvent>>();
		expectTypeOf<RefundEvent>().toExtend<Pick<Wire, keyof RefundEvent>>();
	});

	test('the status', () => {
		expectTypeOf<keyof ProgramStatus>().toEqualTypeOf<keyof ReturnType<typeof statusOnWire>>();
		expectTypeOf<ReturnType<typeof statusOnWire>>().toExtend<ProgramStatus>();
	});

	test('the performance', () => {
		type Report = ReturnType<typeof performanceOf>;
		expectTypeOf<keyof DayOfPerformance>().toEqualTypeOf<keyof DayRow>();
		expectTypeOf<DayRow>().toExtend<DayOfPerformance>();
		expectTypeOf<keyof PerformanceMetrics>().toEqualTypeOf<keyof Report['metrics']>();
		expectTypeOf<Report>().toExtend<Pick<Performance, 'data' | 'metrics'>>();
	});
});

test("the metadata for a Checkout session matches Stripe's own types", () => {
	expectTypeOf<StripeSubscriptionMetadata>().toExtend<Pick<Stripe.Checkout.SessionCreateParams, 'metadata' | 'subscription_data'>>();
});
