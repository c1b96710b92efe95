import { type ReactNode, useState } from 'react';
import { textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { domainOf } from './domain-of.ts';

interface DomainFieldProps {
	readonly label: string;
	readonly description: ReactNode;
	readonly defaultValue?: string;
	readonly isRequired?: boolean;
}

/** A pasted address becomes its host when the field is left. */
export function DomainField({ defaultValue = '', ...field }: DomainFieldProps) {
	const [text, setText] = useState(defaultValue);
	return (
		<Field {...field} name="domain" placeholder="shop.example" value={text} onChange={setText} onBlur={() => setText(domainOf(text))} />
	);
}

/** The value of a form's domain field; null if it is empty. */
export function domainIn(fields: FormData): string | null {
	return domainOf(textOf(fields, 'domain') ?? '') || null;
}
