import { useState } from 'react';
import { Button } from 'react-aria-components';
import { PAYOUT_METHODS, type PayoutMethod } from '../../../../domain/payouts/payout-details.ts';
import { PasswordField } from '../../../account/password-field.tsx';
import { api, responseOf } from '../../../api.ts';
import { money, plural } from '../../../format.ts';
import { ActionForm, rawTextOf } from '../../../ui/action-form.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { saveCsv } from '../../../ui/csv-button.tsx';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Card } from '../../../ui/page.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { PartnerLink } from '../../links.tsx';
import { useProgram } from '../../use-program.ts';
import { MarkSent } from './mark.tsx';
import { type Batch, useBatch } from './payout-queries.ts';
import { worthOf } from '../labels.ts';
import { METHODS } from '../../../labels/payout.tsx';

const HOW: Readonly<Record<PayoutMethod, string>> = {
	paypal: 'For PayPal Payouts Web: choose Pay and get paid, then Payouts, and upload the file.',
	wise: 'For a Wise batch payment with the template “Send by email”.',
	bank: 'Names, accounts and amounts, to convert for your bank or to enter by hand.',
};

/** One file per payout method, with the unsent payouts in one currency. */
export function BatchFiles({ currency }: { currency: string }) {
	return (
		<Card title={`Send ${currency}`}>
			<div className="files">
				{PAYOUT_METHODS.map((method) => (
					<File key={method} method={method} currency={currency} />
				))}
				<WithoutDetails currency={currency} />
			</div>
		</Card>
	);
}

/** Shows nothing if nobody is paid by this method. */
function File({ method, currency }: { method: PayoutMethod; currency: string }) {
	const { programId } = useProgram();
	const [cursor, setCursor] = useState<string>();
	const query = useBatch(programId, { method, currency, cursor });
	const isEmpty = query.data?.payouts.length === 0 && leftOutOf(query.data).length === 0;
	if (isEmpty && cursor === undefined && query.data?.next_cursor === null) return null;
	return (
		<section className="stack tight" aria-label={`${METHODS[method]}, ${currency}`}>
			<h3>{METHODS[method]}</h3>
			<Loaded query={query} lines={2}>
				{(batch) => (
					<>
						<FileOf key={cursor} batch={batch} method={method} cursor={cursor} />
						{(cursor !== undefined || batch.next_cursor !== null) && (
							<Paging cursor={cursor} meta={batch} shown={batch.payouts.length} limit={batch.most_payouts} onChange={setCursor} />
						)}
					</>
				)}
			</Loaded>
		</section>
	);
}

/** Omits other methods and missing details, which are listed elsewhere, and full files, because another file follows. */
function leftOutOf(batch: Batch): Batch['left_out'] {
	return batch.left_out.filter(({ reason }) => reason !== 'other_method' && reason !== 'no_payout_details' && reason !== 'file_full');
}

function FileOf({ batch, method, cursor }: { batch: Batch; method: PayoutMethod; cursor: string | undefined }) {
	const { payouts, currency } = batch;
	const [file, setFile] = useState<ReadonlySet<number>>();
	// Payouts created after the download are not in the file.
	const toMark = file ? payouts.filter(({ payout_id }) => file.has(payout_id)) : payouts;
	const late = payouts.length - toMark.length;
	const leftOut = leftOutOf(batch);
	return (
		<>
			{payouts.length > 0 && (
				<>
					<span className="strong">
						{plural(payouts.length, 'payout')}, {worthOf(payouts)}
					</span>
					<span className="quiet small">{HOW[method]}</span>
					<div className="row">
						<DialogButton trigger={<Button>Download the file</Button>} title={`${METHODS[method]} file, ${currency}`}>
							{(close) => (
								<Download
									method={method}
									currency={currency}
									cursor={cursor}
									close={close}
									onSaved={(text) => {
										setFile(idsIn(text));
										close();
									}}
								/>
							)}
						</DialogButton>
						<MarkSent
							payouts={toMark.map(({ payout_id: id, ...payout }) => ({ ...payout, id }))}
							isPrimary={file !== undefined && toMark.length > 0}
						/>
					</div>
					{late > 0 && (
						<span className="warn small">
							The file does not include {plural(late, 'newer payout')}. Download it again to get all payouts.
						</span>
					)}
				</>
			)}
			{leftOut.length > 0 && <LeftOut rows={leftOut} />}
		</>
	);
}

interface DownloadProps {
	readonly method: PayoutMethod;
	readonly currency: string;
	readonly cursor: string | undefined;
	readonly close: () => void;
	readonly onSaved: (text: string) => void;
}

/** The file contains full account numbers, so the download requires the password. */
function Download({ method, currency, cursor, close, onSaved }: DownloadProps) {
	const { programId } = useProgram();
	const download = useAction({
		send: async (password: string) => {
			const sent = api.v1.programs[':id'].payouts.batch.$post({ param: { id: programId }, json: { password, method, currency, cursor } });
			return saveCsv(await responseOf(sent));
		},
		isQuiet: true,
		isRead: true,
		onDone: onSaved,
	});
	return (
		<ActionForm
			action="Download"
			isPending={download.isPending}
			error={download.error}
			onCancel={close}
			onSend={(fields) => download.mutate(rawTextOf(fields, 'password'))}
		>
			<PasswordField
				description="The file contains your partners’ full account details. Every owner is notified of the download."
				autoFocus
			/>
		</ActionForm>
	);
}

/** Each payment in a file carries its payout's reference. */
function idsIn(file: string): ReadonlySet<number> {
	return new Set(Array.from(file.matchAll(/\bpayout-(\d+)/g), ([, id]) => Number(id)));
}

function WithoutDetails({ currency }: { currency: string }) {
	const { programId } = useProgram();
	const rows =
		useBatch(programId, { method: 'bank', currency }).data?.left_out.filter(({ reason }) => reason === 'no_payout_details') ?? [];
	if (rows.length === 0) return null;
	return (
		<section className="stack tight" aria-label={`No payout details, ${currency}`}>
			<h3>No payout details</h3>
			<span className="strong">
				{plural(rows.length, 'payout')}, {worthOf(rows)}
			</span>
			<span className="quiet small">
				These partners have not entered payout details. They can enter them in the partner portal, or you can ask them and pay by hand.
			</span>
			<LeftOut rows={rows} />
		</section>
	);
}

function LeftOut({ rows }: { rows: Batch['left_out'] }) {
	const what = `${plural(rows.length, 'payout')} not in any file`;
	return (
		<DialogButton trigger={<Button className="react-aria-Button link">{what}: see why</Button>} title={what} isWide>
			{() => (
				<div className="scroll" tabIndex={0} role="region" aria-label={what}>
					<table>
						<thead>
							<tr>
								<th scope="col">Partner</th>
								<th scope="col">Reason</th>
								<th scope="col" className="number">
									Amount
								</th>
							</tr>
						</thead>
						<tbody>
							{rows.map((row) => (
								<tr key={row.payout_id}>
									<th scope="row">
										<span className="cut">
											<PartnerLink id={row.partner.id}>{row.partner.name}</PartnerLink>
										</span>
									</th>
									<td className="wrap">{row.reason_text}</td>
									<td className="number">{money(row.amount_cents, row.currency)}</td>
								</tr>
							))}
						</tbody>
					</table>
				</div>
			)}
		</DialogButton>
	);
}
