import { DAY_MS } from '../../src/domain/calendar.ts';
import { FIRST_PARTNER_USER, OWNER_ID, type Plan, PROGRAM_ID, WORKSPACE_ID } from './size.ts';
import { dayOf, inParts, instantOf, numbers } from './sql.ts';

const GROUPS = 20;
const PRODUCTS = 40;
const MEMBERS = 12;

export function fillPeople(plan: Plan): string[] {
	return [...fillOwners(plan), ...fillPartners(plan), ...fillRules(plan), ...fillApplications(plan)];
}

/** The owner's large program and the small ones. */
function fillOwners({ start, now, smallPrograms, partners }: Plan): string[] {
	const firstSmall = FIRST_PARTNER_USER + partners;
	const toOwner = `iif(i = 1, ${OWNER_ID}, ${firstSmall} + i)`;
	const all = numbers(1, smallPrograms + 1);
	return [
		`${all} INSERT INTO users (id, email, name, password_hash, created_at) SELECT ${toOwner}, 'owner-' || i || '@shops.example', 'Owner ' || i, 'none', ${start} FROM n`,
		`${all} INSERT INTO workspaces (id, name, created_at) SELECT i, 'Workspace ' || i, ${start} FROM n`,
		`${all} INSERT INTO members (workspace_id, user_id, role, created_at) SELECT i, ${toOwner}, 'owner', ${start} FROM n`,
		`${all} INSERT INTO programs (id, workspace_id, name, domain, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
			SELECT i, i, 'Program ' || i, 'shop-' || i || '.example', 'USD', 90, 'UTC', 1, 0, 1, ${start} FROM n`,
		`${all} INSERT INTO allowed_origins (program_id, origin) SELECT i, 'https://shop-' || i || '.example' FROM n`,
		`${numbers(2, MEMBERS)} INSERT INTO users (id, email, name, password_hash, created_at) SELECT i, 'member-' || i || '@shops.example', 'Member ' || i, 'none', ${start} FROM n`,
		`${numbers(2, MEMBERS)} INSERT INTO members (workspace_id, user_id, role, created_at) SELECT ${WORKSPACE_ID}, i, iif(i % 2, 'admin', 'member'), ${start} FROM n`,
		`${numbers(1, 40)} INSERT INTO sessions (token_hash, user_id, created_at, expires_at) SELECT 'owner-session-' || i, ${OWNER_ID}, ${now} - i * ${DAY_MS}, ${now} + (20 - i) * ${DAY_MS} FROM n`,
	];
}

/** The search text that domain/search-text.ts would produce for such names. */
function searchTextOf(...columns: readonly string[]): string {
	return columns.map((column) => `char(10, 9) || ${[' ', '-', '.', '@'].reduce(markedAfter, `lower(${column})`)}`).join(' || ');
}

function markedAfter(text: string, separator: string): string {
	return `replace(${text}, '${separator}', '${separator}' || char(9))`;
}

/** Every third partner has a sign-in. Each small program has one partner, whose id follows these. */
function fillPartners(plan: Plan): string[] {
	const { partners, smallPrograms, now } = plan;
	const at = instantOf(plan, 'i', partners);
	const own = numbers(1, partners);
	const small = numbers(2, smallPrograms + 1);
	const status = `CASE WHEN i > 100 AND i % 20 = 7 THEN 'suspended' WHEN i > 100 AND i % 33 = 5 THEN 'ended' ELSE 'active' END`;
	return [
		`${own} INSERT INTO users (id, email, name, password_hash, created_at)
			SELECT ${FIRST_PARTNER_USER} + i, 'person-' || i || '@partners.example', 'Person ' || i, 'none', ${at} FROM n WHERE i % 3 = 1`,
		`${own} INSERT INTO partners (id, workspace_id, name, email, user_id, created_at, search_text)
			SELECT *, ${searchTextOf('name', 'email')} FROM (SELECT i, ${WORKSPACE_ID}, 'Partner ' || (i * 7919 % ${partners}) || iif(i % 10, '', ' Media') AS name, 'partner-' || i || '@partners.example' AS email, iif(i % 3 = 1, ${FIRST_PARTNER_USER} + i, NULL), ${at} FROM n)`,
		`${numbers(1, GROUPS)} INSERT INTO partner_groups (program_id, name, name_key, created_at) SELECT ${PROGRAM_ID}, 'Group ' || i, 'group ' || i, ${plan.start} FROM n`,
		`${own} INSERT INTO partner_programs (id, program_id, partner_id, status, created_at, created_day, group_id)
			SELECT i, ${PROGRAM_ID}, i, ${status}, ${at}, ${dayOf(at)}, iif(i % 5 < 2 AND ${status} <> 'ended', 1 + i % ${GROUPS}, NULL) FROM n`,
		// A partner who has left keeps no links.
		`${numbers(1, 2 * partners)} INSERT INTO referral_links (id, program_id, partner_program_id, former_partner_program_id, short_link, destination_url, created_at, search_text)
			SELECT *, ${searchTextOf('short_link')} FROM (SELECT l.i, ${PROGRAM_ID}, iif(p.status = 'ended', NULL, p.id), iif(p.status = 'ended', p.id, NULL), 'p' || p.id || iif(l.i % 2, '-blog', '') AS short_link, 'https://shop-1.example/', p.created_at
			FROM n l JOIN partner_programs p ON p.id = (l.i + 1) / 2)`,
		`${numbers(1, partners >> 1)} INSERT INTO coupons (program_id, partner_program_id, code, created_at, archived_at, search_text)
			SELECT ${PROGRAM_ID}, p.id, 'CODE' || i, p.created_at, iif(i % 9 = 0 OR p.status = 'ended', ${now}, NULL), ${searchTextOf("'CODE' || i")} FROM n JOIN partner_programs p ON p.id = i`,
		`${small} INSERT INTO partners (id, workspace_id, name, email, created_at) SELECT ${partners} + i, i, 'Small ' || i, 'small@partners.example', ${plan.start} FROM n`,
		`${small} INSERT INTO partner_programs (id, program_id, partner_id, status, created_at, created_day)
			SELECT ${partners} + i, i, ${partners} + i, 'active', ${plan.start}, ${dayOf(String(plan.start))} FROM n`,
		`${small} INSERT INTO referral_links (id, program_id, partner_program_id, short_link, created_at) SELECT ${2 * partners} + i, i, ${partners} + i, 'small-' || i, ${plan.start} FROM n`,
	];
}

/** Each program's default rule has the program's id. Then rules for products, groups and a thousand partners. */
function fillRules({ start, smallPrograms, partners }: Plan): string[] {
	const rule = 'INSERT INTO commission_rules (program_id, partner_id, group_id, product_id, current_version, created_at) SELECT';
	return [
		`${numbers(1, smallPrograms + 1)} INSERT INTO commission_rules (id, program_id, current_version, created_at) SELECT i, i, 1, ${start} FROM n`,
		`${numbers(1, PRODUCTS)} ${rule} ${PROGRAM_ID}, NULL, NULL, 'product-' || i, 1, ${start} FROM n`,
		`${numbers(1, GROUPS)} ${rule} ${PROGRAM_ID}, NULL, i, NULL, 1, ${start} FROM n`,
		`${numbers(1, Math.min(1_000, partners))} ${rule} ${PROGRAM_ID}, i, NULL, NULL, 1, ${start} FROM n`,
		`INSERT INTO commission_rule_versions (id, rule_id, version, type, basis_points, hold_days, created_at) SELECT id, id, 1, 'percent', 2000, 14, created_at FROM commission_rules ORDER BY id`,
	];
}

function fillApplications(plan: Plan): string[] {
	const at = instantOf(plan, 'i', plan.otherRows);
	const status = `CASE i % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'declined' ELSE 'approved' END`;
	return [
		`INSERT INTO application_forms (program_id, slug, mode, terms_version) VALUES (${PROGRAM_ID}, 'large-shop', 'by_approval', 1)`,
		`INSERT INTO application_terms (program_id, version, text, created_at) VALUES (${PROGRAM_ID}, 1, 'Be honest.', ${plan.start})`,
		...inParts(
			plan.otherRows,
			({ from, to }) =>
				`${numbers(from, to)} INSERT INTO partner_applications (op_id, program_id, name, email, website, message, terms_version, status, created_at, decided_at, decided_by, reason, partner_id)
				SELECT 'fill-application-' || i, ${PROGRAM_ID}, 'Applicant ' || i, 'applicant-' || i || '@blogs.example', 'https://blog-' || i || '.example', 'I write about shops.', 1,
					${status}, ${at}, iif(i % 3, ${at} + 1000, NULL), iif(i % 3, ${OWNER_ID}, NULL), iif(i % 3 = 1, 'Too new', NULL), iif(i % 3 = 2, 1 + i % ${plan.partners}, NULL) FROM n`,
		),
		`${numbers(1, plan.partners)} INSERT INTO invitations (token_hash, workspace_id, email, partner_id, invited_by, created_at, expires_at)
			SELECT 'fill-invitation-' || i, ${WORKSPACE_ID}, 'partner-' || i || '@partners.example', i, ${OWNER_ID}, ${plan.now} - ${DAY_MS}, ${plan.now} + ${6 * DAY_MS} FROM n WHERE i % 3 = 2`,
	];
}
