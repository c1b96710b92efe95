import { DAY_MS } from '../../src/domain/calendar.ts';
import { openSecrets, sha256Hex } from '../../src/secrets.ts';
import { fillOtherTables } from './other-tables.ts';
import { fillFigures } from './figures.ts';
import { fillLedger } from './ledger.ts';
import { fillPeople } from './people.ts';
import { fillSales } from './sales.ts';
import {
	BUSY_PARTNER,
	BUSY_TOKEN,
	FIRST_PARTNER_USER,
	OWNER_ID,
	OWNER_TOKEN,
	type Plan,
	planOf,
	PROGRAM_ID,
	PROGRAM_KEY,
	QUIET_TOKEN,
	quietPartner,
	type Size,
} from './size.ts';

export type RunSql = (statement: string) => Promise<readonly Record<string, unknown>[]>;

export interface FillOptions {
	/** The SECRETS of the Worker that will serve the database. */
	readonly secrets: string;
	readonly now: number;
	/** `tookMs` is the step's duration. */
	readonly onStep?: (step: string, tookMs: number) => void;
}

/**
 * Fills an empty database with one large program and many small ones. Triggers would refuse rows in their final state, so they are dropped
 * and recreated.
 */
export async function fill(run: RunSql, size: Size, options: FillOptions): Promise<void> {
	const plan = planOf(size, options.now);
	const triggers = await run("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'");
	for (const { name } of triggers) await run(`DROP TRIGGER ${String(name)}`);
	const steps = {
		people: fillPeople(plan),
		sales: fillSales(plan),
		ledger: fillLedger(plan),
		figures: fillFigures(),
		'other tables': fillOtherTables(plan),
		access: [...(await fillAccess(plan, options.secrets)), ...(await fillPayoutDetails(plan, options.secrets))],
	};
	for (const [step, statements] of Object.entries(steps)) {
		const started = performance.now();
		for (const statement of statements) await run(statement);
		options.onStep?.(step, performance.now() - started);
	}
	for (const { sql } of triggers) await run(String(sql));
}

async function fillAccess(plan: Plan, list: string): Promise<string[]> {
	const secrets = openSecrets(list);
	const session = async (token: string, userId: number) =>
		`INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at) VALUES ('${await sha256Hex(token)}', ${userId}, ${plan.now}, ${plan.now + 30 * DAY_MS}, ${plan.now})`;
	return [
		await session(OWNER_TOKEN, OWNER_ID),
		await session(BUSY_TOKEN, FIRST_PARTNER_USER + BUSY_PARTNER),
		await session(QUIET_TOKEN, FIRST_PARTNER_USER + quietPartner(plan)),
		`INSERT INTO program_keys (program_id, token_hash, prefix, sealed_token, created_at, last_used_at) VALUES (${PROGRAM_ID}, '${await sha256Hex(PROGRAM_KEY)}', '${PROGRAM_KEY.slice(0, 12)}', '${await secrets.seal(PROGRAM_KEY)}', ${plan.start}, ${plan.now})`,
		`INSERT INTO cron_runs (name, ran_at) VALUES ('tick', ${plan.now})`,
		`INSERT INTO processor_endpoints (program_id, processor, sealed_secrets, amount_basis, created_at, updated_at) VALUES (${PROGRAM_ID}, 'stripe', '${JSON.stringify([await secrets.seal('whsec_scale')])}', 'net', ${plan.start}, ${plan.start})`,
	];
}

const DETAILS_PER_STATEMENT = 200;

/** Payout details for half of the partners who sign in, mostly PayPal. */
async function fillPayoutDetails({ partners, start }: Plan, list: string): Promise<string[]> {
	const secrets = openSecrets(list);
	const rows: string[] = [];
	for (let partner = 1; partner <= partners; partner += 6) {
		const nothing = {
			holder: null,
			receiverType: null,
			currency: null,
			iban: null,
			bic: null,
			country: null,
			accountNumber: null,
			routingCode: null,
		};
		const method = partner % 5 === 0 ? 'wise' : 'paypal';
		const details = {
			method,
			email: `person-${partner}@partners.example`,
			...nothing,
			...(method === 'wise' ? { holder: 'A Person' } : {}),
		};
		const sealed = await secrets.seal(JSON.stringify(details), `payout details of partner ${partner}`);
		rows.push(`(${partner}, '${method}', 'p***@partners.example', '${sealed}', ${start})`);
	}
	const statements: string[] = [];
	for (let from = 0; from < rows.length; from += DETAILS_PER_STATEMENT)
		statements.push(
			`INSERT INTO payout_details (partner_id, method, summary, sealed, changed_at) VALUES ${rows.slice(from, from + DETAILS_PER_STATEMENT).join(', ')}`,
		);
	return statements;
}
