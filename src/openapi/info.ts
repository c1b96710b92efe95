/** The introduction of the document. */
export const INFO = {
	openapi: '3.1.1',
	info: {
		title: 'Affiliate tracker',
		version: '1.0.0',
		summary: 'Clicks, leads, sales and refunds come in; every sale that a partner brought earns that partner a commission.',
		description: `Tracks affiliate programs. An integrator reports what happens under \`/api/v1/track\`; people manage programs, partners and payouts under \`/api/v1\` and read reports.

**Who calls.** A backend sends the program key, a person the token of a session: \`Authorization: Bearer ...\`. Clicks, and leads with a click id, may come from a page without either; then its origin has to be listed by the program.

**Answers** are JSON with \`success: true\`. Every error, whatever its cause, is \`{"error": "..."}\` with a 4xx or 5xx status; the texts of each route are listed with it, for machines under \`x-errors\`, where \`{...}\` stands for what differs from call to call. A path that does not exist is 404, a method that a path does not have 405 with \`Allow\`. A HEAD is answered like its GET, without the body. \`X-Request-Id\` names the call in the logs of the service; a page of another origin may read it too.

**Bodies** are JSON in UTF-8 of at most 64 KiB and 32 levels, whatever \`Content-Type\` says. Tracking routes ignore fields that they do not know, and take null or a blank string for a field that was left out; the others refuse an unknown field, so that a typo does not pass for a change that was made.

**Amounts** named \`..._cents\` are integers in the smallest unit of their currency (cents of USD, yen of JPY). Reports and \`deductionAmount\` are in major units (dollars). Amounts of different currencies are never added.

**Dates** are ISO 8601. Answers are in UTC; a day without a time is a day of the program's time zone, and a time without an offset is read in it.

**Lists** are newest first, with \`cursor\` and \`limit\`; \`meta.next_cursor\` leads to the next page and is null on the last one. A parameter that is empty counts as left out, and one that is not known is refused, but for the performance report, which ignores it.

**CSV** is RFC 4180. Where a spreadsheet would run a cell as a formula, or a part of it behind a \`;\`, tab or line break, an apostrophe stands in front.

**Once only.** A \`transaction_id\` is recorded once, and so is a refund: after a time-out or a 5xx send the same call again.

**Test mode.** \`additional_data.test_mode: true\` writes a flagged record and changes nothing real.

**Limits** per minute, unless the operator set others: 300 clicks, and leads without a key, per client address; 6,000 calls per program key; 20 sign-ins and passwords per client address, and 10 per account; 30 unknown keys, and 600 calls with a session, per client address. Above: 429 with \`Retry-After\`. An IPv6 client counts with its /64.

The examples are real: each was sent to the service, and the answer is what came back.`,
		license: { name: 'MIT', identifier: 'MIT' },
	},
	servers: [{ url: '/', description: 'The service that this document comes from.' }],
} as const;
