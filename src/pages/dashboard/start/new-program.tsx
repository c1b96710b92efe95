import './setup.css';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { shareOf } from '../../../domain/money.ts';
import { answerOf, api } from '../../api.ts';
import { centsOf, money } from '../../format.ts';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Combo } from '../../ui/combo.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';
import { meQuery } from '../../layout/me.ts';
import { percentOf, TermsFields, termsOf } from '../partners/rules/terms-fields.tsx';
import { currencies, timeZones } from '../settings/choices.ts';
import { DomainField, domainIn } from '../settings/domain-field.tsx';
import { SETTINGS } from '../settings/program-fields.ts';
import { newKeyQuery } from './new-key.ts';

const EXAMPLE = '100';
const USUAL = { type: 'percent', percent: 20, recurring_months: null, hold_days: 30 } as const;
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const route = getRouteApi('/shell/programs/new');

/** A new owner's first step: name, domain and commission. */
export function NewProgram() {
	const { data: me } = useSuspenseQuery(meQuery);
	const mayMake = me.workspaces.filter(({ role }) => role !== 'member');
	if (mayMake.length > 0) return <NewProgramOf mayMake={mayMake} />;
	return (
		<Page title="New program">
			<p className="note">Only owners and admins of a workspace can create programs. Ask one of them.</p>
		</Page>
	);
}

function NewProgramOf({ mayMake }: { mayMake: readonly { readonly id: number; readonly name: string }[] }) {
	const navigate = useNavigate();
	const queryClient = useQueryClient();
	const { workspace } = route.useSearch();
	const requested = mayMake.find(({ id }) => String(id) === workspace) ?? mayMake[0];
	const [workspaceId, setWorkspaceId] = useState(String(requested?.id));
	const [currency, setCurrency] = useState('USD');
	const make = useAction({
		send: async (fields: FormData) => {
			const json = {
				workspace_id: Number(workspaceId),
				name: textOf(fields, 'name') ?? '',
				domain: domainIn(fields),
				currency,
				time_zone: textOf(fields, 'time_zone'),
				cookie_window_days: Number(textOf(fields, 'cookie_window_days')),
				commission: termsOf(fields, currency),
			};
			return (await answerOf(api.v1.programs.$post({ json }))).data;
		},
		isQuiet: true,
		onDone: ({ id, api_token: key }) => {
			queryClient.setQueryData(newKeyQuery(String(id)).queryKey, key);
			void navigate({ to: '/programs/$programId', params: { programId: String(id) } });
		},
	});
	const selected = mayMake.find(({ id }) => String(id) === workspaceId);
	return (
		<Page
			title="New program"
			actions={
				selected && (
					<Link to="/workspaces/$workspaceId" params={{ workspaceId }} search={{}}>
						People of {selected.name}
					</Link>
				)
			}
		>
			<Card isBoxed>
				<ActionForm action="Create the program" isPending={make.isPending} error={make.error} onSend={(fields) => make.mutate(fields)}>
					<Field
						label="Name"
						name="name"
						maxLength={120}
						description="Partners see this name. It is usually the name of your product."
						isRequired
						autoFocus
					/>
					<DomainField
						label="Domain of your site"
						description="Paste the address of any page of your site. Pages on this domain, with or without www., may then report clicks."
					/>
					{mayMake.length > 1 && (
						<Choice
							label="Workspace"
							options={mayMake.map(({ id, name }) => ({ value: String(id), label: name }))}
							value={workspaceId}
							onChange={setWorkspaceId}
						/>
					)}
					<Combo
						label={SETTINGS.currency.label}
						name="currency"
						description={SETTINGS.currency.about}
						options={currencies()}
						defaultValue={currency}
						onChange={setCurrency}
						isRequired
					/>
					<fieldset className="plain stack">
						<legend className="strong">What partners earn</legend>
						<TermsFields terms={USUAL} currency={currency} example={(percent) => <Example percent={percent} currency={currency} />} />
						<p className="quiet small">You can add rules for products, partners or groups later.</p>
					</fieldset>
					<Combo
						label={SETTINGS.time_zone.label}
						name="time_zone"
						description={SETTINGS.time_zone.about}
						options={timeZones(OWN_ZONE)}
						defaultValue={OWN_ZONE}
						isRequired
					/>
					<Field
						label={SETTINGS.cookie_window_days.label}
						name="cookie_window_days"
						inputMode="numeric"
						pattern="[0-9]+"
						defaultValue="60"
						description={SETTINGS.cookie_window_days.about}
						isRequired
					/>
				</ActionForm>
			</Card>
		</Page>
	);
}

/** What a sale would earn. */
function Example({ percent, currency }: { percent: string; currency: string }) {
	const [sale, setSale] = useState(EXAMPLE);
	const cents = centsOf(sale, currency);
	const basisPoints = Math.round(percentOf(percent) * 100);
	return (
		<div className="note row">
			<span>A sale of</span>
			<Field label="Amount of a sale" isLabelHidden inputMode="decimal" value={sale} onChange={setSale} />
			<span>
				{currency} earns its partner{' '}
				<strong>
					{cents === undefined || percent === '' || !Number.isFinite(basisPoints) ? '…' : money(shareOf(cents, basisPoints), currency)}
				</strong>
			</span>
		</div>
	);
}
