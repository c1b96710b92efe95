export const INFO = {
	openapi: '3.1.1',
	info: {
		title: 'Affiliate tracker',
		version: '1.0.0',
		summary: 'Records clicks, leads, sales and refunds, and credits a commission to the partner who brought each sale.',
		description: `Tracks affiliate programs. Integrations report events under \`/api/v1/track\`. People manage programs, partners and payouts, and read reports, under \`/api/v1\`.

**Authentication.** A backend sends the program key, a person a session token: \`Authorization: Bearer ...\`. If the program lists its origin, a page may send clicks, and leads with a click id, without either.

**Responses** are JSON with \`success: true\`. Every error is \`{"error": "..."}\` with a 4xx or 5xx status. Each route lists its error texts. For machines they are under \`x-errors\`, where \`{...}\` is a placeholder for a value that differs between calls. An unknown path returns 404; a method that a path does not support returns 405 with \`Allow\`. HEAD returns what GET does, without the body. \`X-Request-Id\` identifies the request in the logs of the service; pages of other origins can read it too.

**Bodies** are JSON in UTF-8 of at most 64 KiB and 32 levels, whatever \`Content-Type\` says. Tracking routes ignore unknown fields, and treat null or a blank string as an omitted field. Other routes refuse unknown fields, so that a typo is not mistaken for a change.

**Amounts** named \`..._cents\` are integers in the smallest unit of their currency (cents of USD, yen of JPY). Reports and \`deductionAmount\` are in major units (dollars). Amounts of different currencies are never added.

**Dates** are ISO 8601. Times in responses are in UTC. A day without a time, and a time that you send without an offset, are in the program's time zone.

**Lists** are newest first, with \`cursor\` and \`limit\`; \`meta.next_cursor\` is the cursor of the next page, null on the last one. Empty parameters count as omitted. Unknown parameters are refused, except by the performance report, which ignores them.

**CSV** is RFC 4180. If a spreadsheet would run a cell, or its part after a \`;\`, tab or line break, as a formula, an apostrophe is put in front.

**Retries.** A \`transaction_id\` is recorded once, and so is a refund. After a timeout or a 5xx, send the same request again.

**Test mode.** \`additional_data.test_mode: true\` writes a flagged record and changes nothing real.

**Rate limits** per minute, unless the operator changed them: 300 clicks, and leads without a key, per client address; 6,000 calls per program key; 20 sign-ins and passwords per client address, and 10 per account; 30 unknown keys, and 600 calls with a session, per client address. Beyond them, the response is 429 with \`Retry-After\`. All IPv6 addresses of one /64 share a limit.

The examples are real: each was sent to the service, and the response is what it returned.`,
		license: { name: 'MIT', identifier: 'MIT' },
	},
	servers: [{ url: '/', description: 'The service that serves this document.' }],
} as const;
