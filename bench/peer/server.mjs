import { randomUUID, createHash } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

// A click and a sale on Fastify and PostgreSQL, with the same look-ups and rows as the service, but without signatures, daily rows and
// audit log. The argument is the folder of PostgreSQL's socket. It sends its port to the parent process once the tables exist.

const POOL_SIZE = 16;
const CUSTOMERS = 50_000;
const [, , socketFolder] = process.argv;
const pool = new pg.Pool({ host: socketFolder, user: 'postgres', database: 'postgres', max: POOL_SIZE });

await pool.query(`
	CREATE TABLE programs (id int PRIMARY KEY, currency text NOT NULL, cookie_window_days int NOT NULL, active boolean NOT NULL);
	CREATE TABLE program_keys (token_hash text PRIMARY KEY, program_id int NOT NULL REFERENCES programs);
	CREATE TABLE links (id int PRIMARY KEY, program_id int NOT NULL REFERENCES programs, partner_id int NOT NULL, short_link text NOT NULL UNIQUE);
	CREATE TABLE clicks (id bigserial PRIMARY KEY, click_id text NOT NULL UNIQUE, program_id int NOT NULL REFERENCES programs, link_id int NOT NULL REFERENCES links,
		clicked_at timestamptz NOT NULL DEFAULT now(), page_url text, page_title text, referrer_url text, user_agent text, language text, timezone text);
	CREATE INDEX ON clicks (program_id, clicked_at);
	CREATE TABLE rules (id int PRIMARY KEY, program_id int NOT NULL REFERENCES programs, basis_points int NOT NULL, hold_days int NOT NULL);
	CREATE TABLE customers (id bigserial PRIMARY KEY, program_id int NOT NULL REFERENCES programs, customer_key text NOT NULL, partner_id int NOT NULL,
		clicked_at timestamptz NOT NULL, status text NOT NULL, first_purchase_date date, UNIQUE (program_id, customer_key));
	CREATE TABLE sales (id bigserial PRIMARY KEY, transaction_id text NOT NULL UNIQUE, program_id int NOT NULL REFERENCES programs,
		customer_id bigint NOT NULL REFERENCES customers, amount_cents bigint NOT NULL, currency text NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
	CREATE INDEX ON sales (program_id, created_at);
	CREATE INDEX ON sales (customer_id);
	CREATE TABLE commissions (id bigserial PRIMARY KEY, sale_id bigint NOT NULL UNIQUE REFERENCES sales, partner_id int NOT NULL, rule_id int NOT NULL REFERENCES rules,
		amount_cents bigint NOT NULL, status text NOT NULL, hold_until timestamptz NOT NULL);
	CREATE INDEX ON commissions (partner_id, id);
	CREATE TABLE balances (partner_id int, currency text, balance_cents bigint NOT NULL, PRIMARY KEY (partner_id, currency));
	CREATE TABLE ledger_entries (id bigserial PRIMARY KEY, partner_id int NOT NULL, currency text NOT NULL, commission_id bigint NOT NULL REFERENCES commissions,
		amount_cents bigint NOT NULL, balance_after_cents bigint NOT NULL);
	CREATE INDEX ON ledger_entries (partner_id, currency, id);
	CREATE TABLE outbox (id text PRIMARY KEY, kind text NOT NULL, subject_id bigint NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
	INSERT INTO programs VALUES (1, 'USD', 60, true);
	INSERT INTO program_keys VALUES ('${hashOf('prg_peer')}', 1);
	INSERT INTO links VALUES (1, 1, 1, 'pat');
	INSERT INTO rules VALUES (1, 1, 2000, 14);
	INSERT INTO customers (program_id, customer_key, partner_id, clicked_at, status)
	SELECT 1, 'customer-' || n, 1, now(), 'lead' FROM generate_series(1, ${CUSTOMERS}) AS n`);

const app = fastify();

app.post('/click', async (request, reply) => {
	const { affiliate_url, page_url, page_title, referrer_url, language, timezone } = request.body;
	const shortLink = new URL(affiliate_url).searchParams.get('aff');
	const found = await pool.query({
		name: 'link',
		text: 'SELECT l.id, l.program_id, p.cookie_window_days FROM links l JOIN programs p ON p.id = l.program_id WHERE l.short_link = $1 AND p.active',
		values: [shortLink],
	});
	const [link] = found.rows;
	if (!link) return reply.code(404).send({ error: 'Referral link not found' });
	const clickId = `cust_${randomUUID()}`;
	await pool.query({
		name: 'click',
		text: `INSERT INTO clicks (click_id, program_id, link_id, page_url, page_title, referrer_url, user_agent, language, timezone)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		values: [clickId, link.program_id, link.id, page_url, page_title, referrer_url, request.headers['user-agent'], language, timezone],
	});
	return { success: true, click_id: clickId, cookie_window_days: link.cookie_window_days };
});

app.post('/sale', async (request, reply) => {
	const { transaction_id, amount_cents, customer_key } = request.body;
	const client = await pool.connect();
	try {
		await client.query('BEGIN');
		const found = await client.query({
			name: 'buyer',
			text: `SELECT p.id AS program_id, p.currency, c.id AS customer_id, c.partner_id, r.id AS rule_id, r.basis_points, r.hold_days
				FROM program_keys k JOIN programs p ON p.id = k.program_id AND p.active
				JOIN customers c ON c.program_id = p.id AND c.customer_key = $2 JOIN rules r ON r.program_id = p.id
				WHERE k.token_hash = $1 FOR UPDATE OF c`,
			values: [hashOf(request.headers.authorization.slice('Bearer '.length)), customer_key],
		});
		const [buyer] = found.rows;
		if (!buyer) {
			await client.query('ROLLBACK');
			return reply.code(400).send({ error: 'Customer not found' });
		}
		const receipt = await writeSale(client, buyer, { transaction_id, amount_cents });
		await client.query('COMMIT');
		return { success: true, ...receipt };
	} catch (error) {
		await client.query('ROLLBACK');
		throw error;
	} finally {
		client.release();
	}
});

async function writeSale(client, buyer, { transaction_id, amount_cents }) {
	const commissionCents = Math.floor((amount_cents * buyer.basis_points + 5_000) / 10_000);
	await client.query({
		name: 'customer',
		text: `UPDATE customers SET status = 'conversion', first_purchase_date = coalesce(first_purchase_date, current_date) WHERE id = $1`,
		values: [buyer.customer_id],
	});
	const sale = await client.query({
		name: 'sale',
		text: 'INSERT INTO sales (transaction_id, program_id, customer_id, amount_cents, currency) VALUES ($1, $2, $3, $4, $5) RETURNING id',
		values: [transaction_id, buyer.program_id, buyer.customer_id, amount_cents, buyer.currency],
	});
	const commission = await client.query({
		name: 'commission',
		text: `INSERT INTO commissions (sale_id, partner_id, rule_id, amount_cents, status, hold_until)
			VALUES ($1, $2, $3, $4, 'pending', now() + make_interval(days => $5)) RETURNING id`,
		values: [sale.rows[0].id, buyer.partner_id, buyer.rule_id, commissionCents, buyer.hold_days],
	});
	await client.query({
		name: 'ledger',
		text: `WITH moved AS (
				INSERT INTO balances VALUES ($1, $2, $3)
				ON CONFLICT (partner_id, currency) DO UPDATE SET balance_cents = balances.balance_cents + excluded.balance_cents RETURNING balance_cents
			)
			INSERT INTO ledger_entries (partner_id, currency, commission_id, amount_cents, balance_after_cents) SELECT $1, $2, $4, $3, balance_cents FROM moved`,
		values: [buyer.partner_id, buyer.currency, commissionCents, commission.rows[0].id],
	});
	await client.query({
		name: 'outbox',
		text: `INSERT INTO outbox (id, kind, subject_id) VALUES ($1 || ':sale_recorded', 'sale_recorded', $2), ($1 || ':commission_created', 'commission_created', $3)`,
		values: [randomUUID(), sale.rows[0].id, commission.rows[0].id],
	});
	return { sale_id: Number(sale.rows[0].id), commission_id: Number(commission.rows[0].id) };
}

function hashOf(token) {
	return createHash('sha256').update(token).digest('hex');
}

await app.listen({ host: '127.0.0.1', port: 0 });
process.send({ port: app.server.address().port });
process.on('disconnect', () => process.exit());
