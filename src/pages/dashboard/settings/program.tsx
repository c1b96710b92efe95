import './settings.css';
import { type ReactNode, useState } from 'react';
import { decimalText, exponentOf } from '../../../domain/money.ts';
import { money } from '../../format.ts';
import { Combo } from '../../ui/combo.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useProgram } from '../use-program.ts';
import { Carts } from './carts.tsx';
import { currencies, timeZones } from './choices.ts';
import { ClickRetention } from './click-retention.tsx';
import { Domain } from './domain.tsx';
import { Origins } from './origins.tsx';
import { SETTINGS } from './program-fields.ts';
import { ProgramState } from './program-state.tsx';
import { type ProgramChange, useChangeProgram } from './use-change-program.ts';

export function ProgramSettings() {
	const { can } = useProgram();
	return (
		<Page title="Program settings">
			{!can('admin') && <p className="note">You can view these settings. Only owners and admins of the workspace can change them.</p>}
			<div className="columns">
				<div className="stack">
					<General />
					<Attribution />
					<Money />
					<Carts />
				</div>
				<div className="stack">
					<Domain />
					<Origins />
					<ClickRetention />
					<ProgramState />
				</div>
			</div>
		</Page>
	);
}

function General() {
	const { program } = useProgram();
	return (
		<Group
			title="General"
			readOnly={['name', 'currency', 'time_zone']}
			changesOf={(fields) => ({
				name: textOf(fields, 'name'),
				currency: textOf(fields, 'currency'),
				time_zone: textOf(fields, 'time_zone'),
			})}
		>
			<Field
				name="name"
				label={SETTINGS.name.label}
				description={SETTINGS.name.about}
				defaultValue={program.name}
				maxLength={120}
				isRequired
			/>
			<Combo
				name="currency"
				label={SETTINGS.currency.label}
				description={SETTINGS.currency.about}
				options={currencies()}
				defaultValue={program.currency}
				isDisabled={program.has_sales}
				isRequired
			/>
			<Combo
				name="time_zone"
				label={SETTINGS.time_zone.label}
				description={SETTINGS.time_zone.about}
				options={timeZones(program.time_zone)}
				defaultValue={program.time_zone}
				isDisabled={program.has_sales}
				isRequired
			/>
		</Group>
	);
}

function Attribution() {
	const { program } = useProgram();
	return (
		<Group
			title="Attribution"
			readOnly={['cookie_window_days', 'coupon_wins', 'server_leads_only', 'renewals_follow_checkout', 'partner_postbacks']}
			changesOf={(fields) => ({
				cookie_window_days: Number(textOf(fields, 'cookie_window_days')),
				coupon_wins: fields.has('coupon_wins'),
				server_leads_only: fields.has('server_leads_only'),
				renewals_follow_checkout: fields.has('renewals_follow_checkout'),
				partner_postbacks: fields.has('partner_postbacks'),
			})}
		>
			<Field
				name="cookie_window_days"
				label={SETTINGS.cookie_window_days.label}
				description={SETTINGS.cookie_window_days.about}
				defaultValue={String(program.cookie_window_days)}
				inputMode="numeric"
				pattern="[0-9]{1,4}"
				isRequired
			/>
			<Switchable name="coupon_wins" isOn={program.coupon_wins} />
			<Switchable name="server_leads_only" isOn={program.server_leads_only} />
			<Switchable name="renewals_follow_checkout" isOn={program.renewals_follow_checkout} />
			<Switchable name="partner_postbacks" isOn={program.partner_postbacks} />
		</Group>
	);
}

function Money() {
	const { program } = useProgram();
	const { currency } = program;
	return (
		<Group
			title="Payouts and privacy"
			readOnly={['payout_minimum_cents', 'keep_emails']}
			changesOf={(fields) => ({
				payout_minimum_cents: Number(`${textOf(fields, 'payout_minimum') ?? '0'}e${exponentOf(currency)}`),
				keep_emails: fields.has('keep_emails'),
			})}
		>
			<Field
				name="payout_minimum"
				label={`${SETTINGS.payout_minimum_cents.label}, ${currency}`}
				description={`${SETTINGS.payout_minimum_cents.about} With 0, any amount is paid.`}
				defaultValue={decimalText(program.payout_minimum_cents, currency)}
				inputMode="decimal"
				pattern={exponentOf(currency) === 0 ? '[0-9]+' : `[0-9]+(\\.[0-9]{1,${exponentOf(currency)}})?`}
				isRequired
			/>
			<Switchable name="keep_emails" isOn={program.keep_emails} />
		</Group>
	);
}

type Shown = Exclude<keyof typeof SETTINGS, 'domain' | 'allowed_origins' | 'active'>;

interface GroupProps {
	readonly title: string;
	/** For members with read-only access. */
	readonly readOnly: readonly Shown[];
	readonly changesOf: (fields: FormData) => ProgramChange;
	readonly children: ReactNode;
}

/** Settings that are saved together. */
function Group({ title, readOnly, changesOf, children }: GroupProps) {
	const { can } = useProgram();
	const [saves, setSaves] = useState(0);
	const change = useChangeProgram({ isQuiet: true, onDone: () => setSaves(saves + 1) });
	return (
		<Card title={title}>
			{can('admin') ? (
				<ActionForm action="Save" isPending={change.isPending} error={change.error} onSend={(fields) => change.mutate(changesOf(fields))}>
					{/* Shows the saved values from the service. */}
					<div key={saves} className="contents">
						{children}
					</div>
				</ActionForm>
			) : (
				<Values names={readOnly} />
			)}
		</Card>
	);
}

function Values({ names }: { names: readonly Shown[] }) {
	const { program } = useProgram();
	const textOfSetting = (name: Shown): string => {
		if (name === 'payout_minimum_cents') return money(program.payout_minimum_cents, program.currency);
		const value = program[name];
		return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value);
	};
	return (
		<dl className="settings">
			{names.map((name) => (
				<div key={name}>
					<dt>{SETTINGS[name].label}</dt>
					<dd className="wrap">{textOfSetting(name)}</dd>
					<dd className="description">{SETTINGS[name].about}</dd>
				</div>
			))}
		</dl>
	);
}

function Switchable({
	name,
	isOn,
}: {
	name: 'coupon_wins' | 'server_leads_only' | 'renewals_follow_checkout' | 'partner_postbacks' | 'keep_emails';
	isOn: boolean;
}) {
	const { label, about } = SETTINGS[name];
	return (
		<CheckboxField name={name} defaultSelected={isOn}>
			<span className="setting-name">{label}</span>
			<span className="description">{about}</span>
		</CheckboxField>
	);
}
