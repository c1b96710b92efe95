import type * as z from 'zod/mini';
import {
	CountryCode,
	CouponCode,
	Currency,
	Domain,
	Email,
	IsoDay,
	IsoDayOrInstant,
	Origins,
	Percent,
	QueryId,
	QueryIdList,
	TimeZone,
} from '../http/fields.ts';
import { EventQuery } from '../http/event-query.ts';
import { AccountNumber, Country, PayoutEmail, RoutingCode } from '../http/management/payouts/payout-details.ts';
import { PageQuery } from '../http/page.ts';
import { SaleRequest } from '../http/tracking-requests.ts';

const CURRENCY = { type: 'string', pattern: '^\\s*[A-Za-z]{3}\\s*$' } as const;
/** A space is accepted for `+`, because queries decode `+` as a space. */
const MOMENT = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+ -]\\d{2}:\\d{2})?)?$';
const { cursor, limit } = PageQuery().shape;

/** Shared field types that zod checks in code, so zod cannot derive their JSON Schema. */
export const FIELD_TYPES: ReadonlyMap<z.core.$ZodType, z.core.JSONSchema.BaseSchema> = new Map<
	z.core.$ZodType,
	z.core.JSONSchema.BaseSchema
>([
	[Email(), { type: 'string', pattern: '^\\s*[^\\s@]+@[^\\s@]+\\.[^\\s@]+\\s*$', maxLength: 320 }],
	[Currency(), { type: 'string', pattern: '^[A-Za-z]{3}$' }],
	[SaleRequest().shape.currency, CURRENCY],
	[TimeZone(), { type: 'string', pattern: '^[A-Za-z]' }],
	[Domain(), { type: 'string', pattern: '^\\s*[^\\s/:?#@]+\\s*$' }],
	[Origins()._zod.def.element, { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' }],
	[Percent(), { type: 'number', minimum: 0, maximum: 100 }],
	[QueryId(), { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 }],
	[QueryIdList(), { type: 'string', pattern: '^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,499}$' }],
	[PayoutEmail(), { type: 'string', pattern: '^\\s*[A-Za-z0-9][^\\s@,;"\'<>]*@[^\\s@,;"\'<>]+\\.[^\\s@,;"\'<>]+\\s*$' }],
	[Country(), { type: 'string', pattern: '^\\s*[A-Za-z]{2}\\s*$' }],
	[AccountNumber(), { type: 'string', pattern: '^\\s*[A-Za-z0-9][A-Za-z0-9-]{2,32}[A-Za-z0-9]\\s*$' }],
	[RoutingCode(), { type: 'string', pattern: '^\\s*[A-Za-z0-9][A-Za-z0-9-]{1,18}[A-Za-z0-9]\\s*$' }],
	[CouponCode(), { type: 'string', pattern: '^\\s*[^\\u0000-\\u001f]*[^\\s\\u0000-\\u001f][^\\u0000-\\u001f]*\\s*$' }],
	[CountryCode(), { type: 'string', pattern: '^[A-Za-z0-9]{2}$' }],
	[IsoDay(), { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }],
	[IsoDayOrInstant(), { type: 'string', pattern: MOMENT }],
	[cursor, { type: 'string' }],
	[limit, { type: 'integer', minimum: 1, maximum: 200, default: 50 }],
	[EventQuery().shape.page, { type: 'integer', minimum: 1, maximum: 1_000 }],
	[EventQuery().shape.pageSize, { type: 'integer', minimum: 1, maximum: 200 }],
]);
