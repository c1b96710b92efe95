import './setup.css';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { centsOf, money } from '../../format.ts';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';
import { meQuery } from '../../frame/me.ts';
import { newKeyQuery } from './new-key.ts';

const EXAMPLE = '100';
const DEFAULT_HOLD_DAYS = '30';
const TYPES = [
	{ value: 'percent', label: 'A share of each sale' },
	{ value: 'flat', label: 'A fixed amount for each sale' },
] as const;

/** The first step of a new owner: what the program is called, where its shop is, and what partners earn. */
export function NewProgram() {
	const { data: me } = useSuspenseQuery(meQuery);
	const mayMake = me.workspaces.filter(({ role }) => role !== 'member');
	const navigate = useNavigate();
	const queryClient = useQueryClient();
	const [workspaceId, setWorkspaceId] = useState(String(mayMake[0]?.id));
	const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
	const make = useAction({
		send: async (fields: FormData) => {
			const currency = (textOf(fields, 'currency') ?? '').toUpperCase();
			const json = {
				workspace_id: Number(workspaceId),
				name: textOf(fields, 'name') ?? '',
				domain: textOf(fields, 'domain') ?? null,
				currency,
				time_zone: zone,
				cookie_window_days: Number(textOf(fields, 'cookie_window_days')),
				commission: termsOf(fields, currency),
			};
			return (await answerOf(api.v1.programs.$post({ json }))).data;
		},
		isQuiet: true,
		onDone: ({ id, api_token: key }) => {
			queryClient.setQueryData(newKeyQuery(String(id)).queryKey, key);
			void navigate({ to: '/programs/$programId/setup', params: { programId: String(id) } });
		},
	});
	if (mayMake.length === 0) {
		return (
			<Page title="New program">
				<p className="note">Programs are made by owners and admins of a workspace. Ask one of yours.</p>
			</Page>
		);
	}
	return (
		<Page title="New program">
			<Card>
				<ActionForm action="Make the program" isPending={make.isPending} error={make.error} onSend={(fields) => make.mutate(fields)}>
					<Field
						label="Name"
						name="name"
						maxLength={120}
						description="Partners see it: usually the name of your product."
						isRequired
						autoFocus
					/>
					<Field
						label="Domain of your site"
						name="domain"
						placeholder="example.com"
						description="Pages of it, and of its www., may report clicks."
					/>
					{mayMake.length > 1 && (
						<Choice
							label="Workspace"
							options={mayMake.map(({ id, name }) => ({ value: String(id), label: name }))}
							value={workspaceId}
							onChange={setWorkspaceId}
						/>
					)}
					<Terms />
					<div className="field-pair">
						<Choice
							label="Time zone"
							description="Days in reports begin at its midnight."
							options={zonesWith(zone).map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
							value={zone}
							onChange={setZone}
						/>
						<Field
							label="Attribution window, days"
							name="cookie_window_days"
							inputMode="numeric"
							pattern="[0-9]+"
							defaultValue="60"
							description="How long after a click a sale still counts for its partner."
							isRequired
						/>
					</div>
				</ActionForm>
			</Card>
		</Page>
	);
}

/** What a sale earns, and what that comes to. */
function Terms() {
	const [type, setType] = useState<'percent' | 'flat'>('percent');
	const [currency, setCurrency] = useState('USD');
	const [percent, setPercent] = useState('20');
	const [flat, setFlat] = useState('10');
	const [sale, setSale] = useState(EXAMPLE);
	return (
		<fieldset className="plain stack">
			<legend className="strong">What partners earn</legend>
			<div className="field-pair">
				<Choice label="Commission" name="type" options={TYPES} value={type} onChange={setType} />
				{type === 'percent' ? (
					<Field label="Percent" name="percent" inputMode="decimal" value={percent} onChange={setPercent} isRequired />
				) : (
					<Field label={`Amount, ${currency}`} name="amount" inputMode="decimal" value={flat} onChange={setFlat} isRequired />
				)}
				<Field
					label="Currency"
					name="currency"
					value={currency}
					onChange={setCurrency}
					minLength={3}
					maxLength={3}
					description="Three letters, such as USD or EUR."
					isRequired
				/>
				<Field
					label="Hold, days"
					name="hold_days"
					inputMode="numeric"
					pattern="[0-9]+"
					defaultValue={DEFAULT_HOLD_DAYS}
					description="For as long a sale may be refunded before its commission can be paid."
					isRequired
				/>
			</div>
			<div className="note row">
				<span>A sale of</span>
				<Field label="Amount of a sale" isLabelHidden inputMode="decimal" value={sale} onChange={setSale} />
				<span>
					{currency.toUpperCase()} earns its partner{' '}
					<strong>{earned({ type, percent, flat, sale, currency: currency.toUpperCase() })}</strong>. Other rules, by product, partner or
					group, can follow later.
				</span>
			</div>
		</fieldset>
	);
}

interface Example {
	readonly type: 'percent' | 'flat';
	readonly percent: string;
	readonly flat: string;
	readonly sale: string;
	readonly currency: string;
}

function earned({ type, percent, flat, sale, currency }: Example): string {
	if (!/^[A-Z]{3}$/.test(currency)) return '…';
	const cents = centsOf(type === 'flat' ? flat : sale, currency);
	const part = type === 'flat' ? 100 : Number(percent);
	return cents === undefined || !Number.isFinite(part) ? '…' : money(Math.round((cents * part) / 100), currency);
}

function termsOf(fields: FormData, currency: string) {
	const holdDays = Number(textOf(fields, 'hold_days'));
	const amount = textOf(fields, 'amount');
	if (amount === undefined) return { type: 'percent' as const, percent: Number(textOf(fields, 'percent')), hold_days: holdDays };
	return { type: 'flat' as const, amount_cents: centsOf(amount, currency), currency, hold_days: holdDays };
}

/** All that the browser knows, and its own. */
function zonesWith(own: string): readonly string[] {
	return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
