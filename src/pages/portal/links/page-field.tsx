import { Field } from '../../ui/field.tsx';
import { useMembership } from '../memberships.ts';

/** The destination must be a page of the program's domain. */
export function PageField({ defaultValue, note, isRequired = false }: { defaultValue?: string; note: string; isRequired?: boolean }) {
	const { domain } = useMembership().program;
	return (
		<Field
			label="Page"
			name="destination_url"
			type="url"
			inputMode="url"
			defaultValue={defaultValue}
			isRequired={isRequired}
			placeholder={`https://${domain}/a-page`}
			description={`Any page of ${domain}, with its https://. ${note}`}
			autoFocus
		/>
	);
}
