import { WEBHOOK_OCCASIONS, WEBHOOK_TYPES, type WebhookType } from '../../../../domain/webhooks/webhook-type.ts';
import { CheckboxField } from '../../../ui/fields.tsx';
import { TYPE_GROUPS } from './webhook-labels.ts';

interface TypesProps {
	readonly types: readonly WebhookType[];
	readonly onChange: (types: readonly WebhookType[]) => void;
}

/** Picks types one by one, by subject, or all at once. */
export function WebhookTypes({ types, onChange }: TypesProps) {
	return (
		<fieldset className="plain stack tight">
			<legend>Events</legend>
			<CheckboxOfMany label="All events" of={WEBHOOK_TYPES} types={types} onChange={onChange} />
			<div className="event-types">
				{TYPE_GROUPS.map(({ title, types: of }) => (
					<div key={title} className="stack tight" role="group" aria-label={title}>
						<CheckboxOfMany label={title} of={of} types={types} onChange={onChange} />
						{of.map((type) => (
							<CheckboxField key={type} isSelected={types.includes(type)} onChange={(isOn) => onChange(changed(types, [type], isOn))}>
								<code>{type}</code>
								<span className="description lines">{WEBHOOK_OCCASIONS[type]}</span>
							</CheckboxField>
						))}
					</div>
				))}
			</div>
		</fieldset>
	);
}

/** Some of its types may be selected. */
function CheckboxOfMany({ label, of, types, onChange }: { label: string; of: readonly WebhookType[] } & TypesProps) {
	const selected = of.filter((type) => types.includes(type)).length;
	return (
		<CheckboxField
			isSelected={selected === of.length}
			isIndeterminate={selected > 0 && selected < of.length}
			onChange={(isOn) => onChange(changed(types, of, isOn))}
		>
			<strong>{label}</strong>
		</CheckboxField>
	);
}

/** Keeps the types in their fixed order. */
function changed(types: readonly WebhookType[], these: readonly WebhookType[], isOn: boolean): readonly WebhookType[] {
	return WEBHOOK_TYPES.filter((type) => (these.includes(type) ? isOn : types.includes(type)));
}
