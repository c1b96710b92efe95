import { type Asked, askedOf, type Cases, type Named } from './asked.ts';
import { ofMoney } from './requests-of-money.ts';
import { ofProgram } from './requests-of-program.ts';
import { ofPortal, ofReports } from './requests-of-reports.ts';
import { ofService } from './requests-of-service.ts';

/**
 * What every GET of the OpenAPI document is asked at scale, by its operationId. A list is asked without parameters, with each filter,
 * with a value that does not occur, for a page in the middle and for the last one. No case: it asks the database nothing.
 */
export function requestsOf(named: Named): Readonly<Record<string, readonly Asked[]>> {
	const all: Cases = { ...ofService(named), ...ofProgram(named), ...ofMoney(named), ...ofReports(named), ...ofPortal(named) };
	return Object.fromEntries(Object.entries(all).map(([operation, cases]) => [operation, cases.flatMap(askedOf)]));
}
