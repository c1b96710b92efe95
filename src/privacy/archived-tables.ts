import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { partnerApplications } from '../db/schema/applications.ts';
import { affiliateClickEvents } from '../db/schema/clicks.ts';
import { coupons } from '../db/schema/coupons.ts';
import { affiliateLeadEvents, customers } from '../db/schema/customers.ts';
import { commissions, ledgerEntries, payouts } from '../db/schema/money.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import { programs } from '../db/schema/programs.ts';
import { refusals } from '../db/schema/refusals.ts';
import { affiliateSaleEvents, refundEvents } from '../db/schema/sales.ts';
import { notifications } from '../db/schema/work.ts';
import type { ArchiveRecord } from '../domain/reporting/archive-position.ts';

type Columns = Readonly<Record<string, SQLiteColumn>>;

export interface ArchivedPage {
	/** Only rows with higher ids. */
	readonly after: number;
	readonly limit: number;
}

export interface ArchivedTable {
	readonly table: SQLiteTable;
	/** Never includes secrets. */
	readonly columns: Columns;
	readonly id: SQLiteColumn;
	/** The column of the index that orders rows before the id. Undefined to sort by id alone. */
	readonly key?: SQLiteColumn;
	/** No index covers the program, so the rows of all programs are searched. */
	readonly isLookedThrough?: true;
	readonly isOfProgram: (programId: number, page: ArchivedPage) => SQL;
}

const byProgram = (column: SQLiteColumn) => (programId: number) => sql`${column} = ${programId}`;
/** `+` disables indexes, so that rows are read in id order. */
const lookedThrough = (column: SQLiteColumn) => (programId: number) => sql`+${column} = ${programId}`;
const isMember = (programId: number, partnerId: SQLiteColumn) =>
	sql`EXISTS (SELECT 1 FROM partner_programs m WHERE m.program_id = ${programId} AND m.partner_id = ${partnerId})`;

function whole<Table extends SQLiteTable & { readonly id: SQLiteColumn }>(table: Table) {
	return { table, id: table.id, columns: getTableColumns<SQLiteTable>(table) };
}

/** The search text only repeats other columns. */
function withoutSearchText<Table extends SQLiteTable & { readonly id: SQLiteColumn; readonly searchText: SQLiteColumn }>(table: Table) {
	const { searchText: _searchText, ...columns } = getTableColumns<SQLiteTable>(table);
	return { table, id: table.id, columns };
}

const { sealed: _sealed, ...maskedDetails } = getTableColumns(payoutDetails);
const { operation: _operation, ...entryColumns } = getTableColumns(ledgerEntries);

export const ARCHIVED_TABLES: Readonly<Record<ArchiveRecord, ArchivedTable>> = {
	program: { ...whole(programs), isOfProgram: byProgram(programs.id) },
	partner: {
		...withoutSearchText(partners),
		// Selects one page of partners instead of the whole list.
		isOfProgram: (programId, { after, limit }) => sql`${partners.id} IN (
			SELECT partner_id FROM partner_programs WHERE program_id = ${programId} AND partner_id > ${after} ORDER BY partner_id LIMIT ${limit})`,
	},
	payout_details: {
		table: payoutDetails,
		id: payoutDetails.partnerId,
		columns: maskedDetails,
		isLookedThrough: true,
		isOfProgram: (programId) => isMember(programId, payoutDetails.partnerId),
	},
	membership: { ...whole(partnerPrograms), key: partnerPrograms.createdAt, isOfProgram: byProgram(partnerPrograms.programId) },
	link: { ...withoutSearchText(referralLinks), isOfProgram: byProgram(referralLinks.programId) },
	coupon: { ...withoutSearchText(coupons), isOfProgram: byProgram(coupons.programId) },
	application: { ...whole(partnerApplications), isOfProgram: byProgram(partnerApplications.programId) },
	click: { ...whole(affiliateClickEvents), key: affiliateClickEvents.clickedAt, isOfProgram: byProgram(affiliateClickEvents.programId) },
	customer: { ...whole(customers), isLookedThrough: true, isOfProgram: lookedThrough(customers.programId) },
	lead: { ...whole(affiliateLeadEvents), key: affiliateLeadEvents.createdAt, isOfProgram: byProgram(affiliateLeadEvents.programId) },
	sale: { ...whole(affiliateSaleEvents), key: affiliateSaleEvents.createdAt, isOfProgram: byProgram(affiliateSaleEvents.programId) },
	refund: { ...whole(refundEvents), key: refundEvents.createdAt, isOfProgram: byProgram(refundEvents.programId) },
	commission: { ...whole(commissions), key: commissions.createdDay, isOfProgram: byProgram(commissions.programId) },
	ledger_entry: {
		...whole(ledgerEntries),
		columns: entryColumns,
		isLookedThrough: true,
		isOfProgram: (programId) =>
			sql`(SELECT m.program_id FROM partner_programs m WHERE m.id = ${ledgerEntries.partnerProgramId}) = ${programId}`,
	},
	payout: { ...whole(payouts), isOfProgram: byProgram(payouts.programId) },
	refusal: { ...whole(refusals), isOfProgram: byProgram(refusals.programId) },
	notification: { ...whole(notifications), isLookedThrough: true, isOfProgram: lookedThrough(notifications.programId) },
};
