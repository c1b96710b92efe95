import { exampleOf } from './curl.ts';
import type { Operation, Route } from './openapi.ts';

/** What is a test by itself: it is sent as its example says. */
const TESTS = new Set(['runTestEvent', 'tryProgram']);
/** What `test_mode` in its body makes one. They go together: the refund is of the sale. The page fills in the link. */
const TEST_BODIES: Readonly<Record<string, object>> = {
	trackClick: { affiliate_url: 'https://shop.example/?aff={link}' },
	trackLead: { customer_key: 'test-user-1' },
	trackSale: { transaction_id: 'test-order-1', amount_cents: 9900, customer_key: 'test-user-1' },
	trackRefund: { transaction_id: 'test-order-1' },
};

/**
 * The attributes by which a page offers to try a route, where whoever serves it has a demo program (docs/site/try.js): of what
 * changes nothing. Empty for any other.
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

/** Answers JSON of this service, to whoever may ask. */
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

/** Undefined of what is no test. */
function testBody({ operationId, requestBody }: Operation): unknown {
	const fields = TEST_BODIES[operationId];
	if (fields) return { ...fields, additional_data: { test_mode: true } };
	if (!TESTS.has(operationId)) return undefined;
	const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
	return example ?? Object.values(examples)[0]?.value ?? {};
}
