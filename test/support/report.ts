import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import type { BreakdownRow } from '../../src/domain/reporting/breakdown.ts';
import type { DetailedReport } from '../../src/reporting/read-detailed-performance.ts';
import type { Performance } from '../../src/reporting/read-performance.ts';
import { app } from '../../src/http/app.ts';
import type { ClickJob } from '../../src/job.ts';
import { expectConformance } from './conformance.ts';
import { linkIdOf, mintClickId } from './clock.ts';
import { deliver } from './deliver.ts';
import { type Funnel, track } from './funnel.ts';
import { unique } from './world.ts';

// Reads the performance report, and creates clicks at any time.

export interface Report {
	readonly data: Performance['data'];
	readonly metrics: Performance['metrics'];
	readonly meta: {
		readonly period: string;
		readonly dateFrom: string;
		readonly dateTo: string;
		readonly previousPeriod: { readonly dateFrom: string; readonly dateTo: string };
	};
}

/** Whatever the status. */
export async function askReport(programId: number | string, query: string, token?: string, headers: Record<string, string> = {}) {
	const path = `/api/tracking/performance/${programId}`;
	const response = await exports.default.fetch(`http://service.test${path}${query}`, {
		headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
	});
	const answer = { status: response.status, headers: response.headers, text: await response.text() };
	expectConformance({ method: 'GET', path, ...answer });
	return answer;
}

export async function readReport(funnel: Pick<Funnel, 'id' | 'owner'>, query = ''): Promise<Report> {
	const { status, text } = await askReport(funnel.id, query, funnel.owner.token);
	if (status !== 200) throw new Error(`The report answered ${status}: ${text}`);
	const report: Report = JSON.parse(text);
	return report;
}

export interface Detailed {
	readonly data: DetailedReport['data'];
	readonly metrics: DetailedReport['metrics'];
	readonly previous: DetailedReport['previous'] | null;
	readonly meta: Report['meta'] & {
		readonly filter: { by: string; value: string | number; label: string | null; unknown: string[] } | null;
	};
}

/** The report with a filter or with the previous range: `country=DE&compare=previous`. */
export async function readDetailed(funnel: Pick<Funnel, 'id' | 'owner'>, query: string): Promise<Detailed> {
	const { status, text } = await askReport(funnel.id, `?${query}`, funnel.owner.token);
	if (status !== 200) throw new Error(`The report answered ${status}: ${text}`);
	const report: Detailed = JSON.parse(text);
	return report;
}

export interface BreakdownReport {
	readonly data: readonly BreakdownRow[];
	readonly meta: {
		readonly by: string;
		readonly period: string;
		readonly dateFrom: string;
		readonly dateTo: string;
		readonly next_cursor: string | null;
	};
}

/** `by=country&period=30d`. */
export async function readBreakdown(funnel: Pick<Funnel, 'id' | 'owner'>, query: string): Promise<BreakdownReport> {
	const { status, text } = await askReport(funnel.id, `?${query}`, funnel.owner.token);
	if (status !== 200) throw new Error(`The breakdown answered ${status}: ${text}`);
	const report: BreakdownReport = JSON.parse(text);
	return report;
}

/** Sends a request to a Worker with other bindings. */
export async function askWith(bindings: Partial<Env>, path: string, token: string): Promise<Response> {
	const execution = createExecutionContext();
	const request = new Request(`http://service.test${path}`, { headers: { Authorization: `Bearer ${token}` } });
	const response = await app.fetch(request, { ...env, ...bindings }, execution);
	await waitOnExecutionContext(execution);
	return response;
}

/** The report from a Worker with other bindings. */
export async function readReportWith(bindings: Partial<Env>, funnel: Pick<Funnel, 'id' | 'owner'>, query: string): Promise<Report> {
	const response = await askWith(bindings, `/api/tracking/performance/${funnel.id}${query}`, funnel.owner.token);
	return response.json();
}

export async function aClickJob(funnel: Funnel, clickedAt: number, fields: Partial<ClickJob> = {}): Promise<ClickJob> {
	const referralLinkId = await linkIdOf(funnel);
	return {
		version: 1,
		kind: 'click',
		clickId: await mintClickId(referralLinkId, { clickedAt }),
		programId: funnel.id,
		referralLinkId,
		isTest: false,
		isBot: false,
		clickedAt,
		pageUrl: null,
		pageTitle: null,
		referrerUrl: null,
		sessionId: null,
		userAgent: null,
		language: null,
		timezone: null,
		country: null,
		...fields,
	};
}

export async function deliverClicks(jobs: readonly ClickJob[]): Promise<void> {
	const { acked } = await deliver(
		'affiliate-clicks',
		jobs.map((body) => ({ body })),
	);
	if (acked.length !== jobs.length) throw new Error(`${jobs.length - acked.length} clicks were not acknowledged`);
}

export async function clicksAt(funnel: Funnel, instant: string, count: number): Promise<ClickJob[]> {
	const jobs = await Promise.all(Array.from({ length: count }, (_, index) => aClickJob(funnel, Date.parse(instant) + index)));
	await deliverClicks(jobs);
	return jobs;
}

/** Its click row never arrives, so no test waits for the queue. The click id alone identifies the click. */
export async function aLeadAlone(funnel: Funnel): Promise<string> {
	const { clickId } = await aClickJob(funnel, Date.now());
	const customerKey = unique('customer');
	const { status, body } = await track('lead', { click_id: clickId, customer_key: customerKey }, funnel.apiToken);
	if (status !== 200) throw new Error(`The lead answered ${status}: ${JSON.stringify(body)}`);
	return customerKey;
}
