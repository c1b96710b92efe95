/** The introduction of the document. */
export const INFO = {
	openapi: '3.1.1',
	info: {
		title: 'Affiliate tracker',
		version: '1.0.0',
		summary: 'Records clicks, leads, sales and refunds. Each sale that a partner refers earns that partner a commission.',
		description: `Tracks affiliate programs. Integrations report events under \`/api/v1/track\`. People manage programs, partners and payouts, and read reports, under \`/api/v1\`.

**Authentication.** A backend sends the program key, a person the token of a session: \`Authorization: Bearer ...\`. Clicks, and leads with a click id, can come from a page without either. Then the program must list the origin of the page.

**Responses** are JSON with \`success: true\`. Every error is \`{"error": "..."}\` with a 4xx or 5xx status. Each route lists its error texts, also as \`x-errors\` for programs, where \`{...}\` is a placeholder. An unknown path is a 404, an unsupported method a 405 with \`Allow\`. A HEAD request gets the response of its GET without the body. \`X-Request-Id\` identifies the call in the service's logs. Pages of other origins can read it too.

**Bodies** are JSON in UTF-8 of at most 64 KiB and 32 levels, whatever \`Content-Type\` says. Tracking routes ignore unknown fields, and treat null or a blank string as a missing field. All other routes refuse unknown fields, so that a typo does not look like a successful change.

**Amounts** named \`..._cents\` are integers in the smallest unit of their currency (cents of USD, yen of JPY). Reports and \`deductionAmount\` are in major units (dollars). Amounts of different currencies are never added.

**Dates** are ISO 8601. Responses are in UTC. A day without a time is a day in the program's time zone, and a time without an offset is in that time zone.

**Lists** are newest first, with \`cursor\` and \`limit\`; \`meta.next_cursor\` leads to the next page and is null on the last one. An empty parameter counts as missing. An unknown one is refused, except by the performance report, which ignores it.

**CSV** is RFC 4180. If a spreadsheet would run a cell as a formula, or a part of it after a \`;\`, tab or line break, an apostrophe is put in front.

**Retries.** A \`transaction_id\` is recorded once, and so is a refund. After a time-out or a 5xx, send the same call again.

**Test mode.** \`additional_data.test_mode: true\` writes a flagged record and changes nothing real.

**Limits** per minute, unless the operator has set others: 300 clicks, and leads without a key, per client address; 6,000 calls per program key; 20 sign-ins and passwords per client address, and 10 per account; 30 unknown keys, and 600 calls with a session, per client address. Above a limit, the response is 429 with \`Retry-After\`. IPv6 clients are counted by /64.

The examples are real: each was sent to the service, and the response is the one it returned.`,
		license: { name: 'MIT', identifier: 'MIT' },
	},
	servers: [{ url: '/', description: 'The service that serves this document.' }],
} as const;
