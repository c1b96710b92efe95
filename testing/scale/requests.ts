import { type ScaleRequest, requestsOfCase, type Cases, type Named } from './cases.ts';
import { ofMoney } from './requests-of-money.ts';
import { ofProgram } from './requests-of-program.ts';
import { ofPortal, ofReports } from './requests-of-reports.ts';
import { ofService } from './requests-of-service.ts';

/**
 * The requests for every GET of the OpenAPI document, by operationId. A list is requested without parameters, with each filter, with a
 * value that does not occur, and for a middle page and the last page. Routes without cases do not query the database.
 */
export function requestsOf(named: Named): Readonly<Record<string, readonly ScaleRequest[]>> {
	const all: Cases = { ...ofService(named), ...ofProgram(named), ...ofMoney(named), ...ofReports(named), ...ofPortal(named) };
	return Object.fromEntries(Object.entries(all).map(([operation, cases]) => [operation, cases.flatMap(requestsOfCase)]));
}
