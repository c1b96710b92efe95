import { exampleOf } from './curl.ts';
import type { Operation, Route } from './openapi.ts';

/** Operations that only run a test, so their examples are sent unchanged. */
const TESTS = new Set(['runTestEvent', 'tryProgram']);
/** Bodies for the tracking calls, sent in test mode. The refund matches the sale, and the page fills in the link. */
const TEST_BODIES: Readonly<Record<string, object>> = {
	trackClick: { affiliate_url: 'https://shop.example/?aff={link}' },
	trackLead: { customer_key: 'test-user-1' },
	trackSale: { transaction_id: 'test-order-1', amount_cents: 9900, customer_key: 'test-user-1' },
	trackRefund: { transaction_id: 'test-order-1' },
};

/**
 * The attributes from which docs/site/try.js builds the "Try it" form, if the service has a demo program. Only routes that change nothing
 * get them.
 */
export function tryAttributes({ method, path, operation }: Route): Readonly<Record<string, string>> {
	const body = testBody(operation);
	if (body === undefined && !isReading({ method, path, operation })) return {};
	const filled = path
		.replace(/(?<=\/programs\/)\{id\}|\{programId\}/, '{program}')
		.replaceAll(/\{(?!program\})(\w+)\}/g, (_, name: string) => exampleOf(operation.parameters, name));
	const sent = body === undefined ? {} : { 'data-body': JSON.stringify(body) };
	return { 'data-try': `${method} ${filled}`, 'data-as': callerOf(operation), ...sent };
}

/** Whether the route only reads, and responds with JSON. */
function isReading({ method, path, operation }: Route): boolean {
	const good = operation.responses['200'];
	return (
		method === 'GET' && path !== '/api/openapi.json' && !!good && 'content' in good && good.content?.['application/json'] !== undefined
	);
}

function callerOf({ tags, security }: Operation): 'key' | 'owner' | 'partner' | 'none' {
	const schemes = security.flatMap((scheme) => Object.keys(scheme));
	if (schemes.includes('programKey')) return 'key';
	if (!schemes.includes('sessionToken')) return 'none';
	return tags.includes('Own earnings') ? 'partner' : 'owner';
}

/** Undefined if the operation is not a test. */
function testBody({ operationId, requestBody }: Operation): unknown {
	const fields = TEST_BODIES[operationId];
	if (fields) return { ...fields, additional_data: { test_mode: true } };
	if (!TESTS.has(operationId)) return undefined;
	const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
	return example ?? Object.values(examples)[0]?.value ?? {};
}
