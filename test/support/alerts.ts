import { unique } from './world.ts';

// A receiver of alerts, and a payment processor that may fall silent.

const HOUR_MS = 3_600_000;

interface Posted {
	readonly text: string;
	readonly content: string;
	readonly id: string;
	readonly alert: string;
	readonly phase: string;
	readonly message: string;
	readonly program_id: number | null;
}

/** Records its requests. The test sets its response. */
export function aReceiver(DB: D1Database) {
	const url = `https://${unique('receiver')}.example/hook?token=hidden`;
	const answer = (page: { status?: number; delayMs?: number }) => fetch(url, { method: 'PUT', body: JSON.stringify(page) });
	const posted = async (): Promise<Posted[]> => {
		const bodies: string[] = await (await fetch(url, { method: 'SEARCH' })).json();
		return bodies.map((body): Posted => JSON.parse(body));
	};
	const told = async () => (await posted()).map(({ alert, phase }) => `${alert} ${phase}`);
	return { bindings: { DB, ALERT_WEBHOOK_URL: url }, answer, posted, told };
}

/** 40 events, one every four hours, and none for two days. */
export async function silenceStripe(DB: D1Database, programId: number, now: number): Promise<void> {
	await DB.prepare(
		"INSERT INTO processor_endpoints (program_id, processor, sealed_secrets, amount_basis, created_at, updated_at) VALUES (?, 'stripe', '[\"none\"]', 'net', 0, 0) ON CONFLICT DO NOTHING",
	)
		.bind(programId)
		.run();
	for (let index = 39; index >= 0; index -= 1) await hearOfStripe(DB, programId, now - (48 + index * 4) * HOUR_MS);
}

let events = 0;

export async function hearOfStripe(DB: D1Database, programId: number, at: number): Promise<void> {
	events += 1;
	await DB.prepare(
		`INSERT INTO processor_events (program_id, processor, event_id, type, is_test, happened_at, received_at, state, reason, expires_at, settled_at)
		VALUES (?1, 'stripe', ?2, 'invoice.paid', 0, ?3, ?3, 'ignored', 'a test', ?3, ?3)`,
	)
		.bind(programId, `evt_${events}`, at)
		.run();
}
