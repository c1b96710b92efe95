import type { FormEvent, ReactNode } from 'react';
import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from 'react-aria-components';

interface FieldProps extends Omit<TextFieldProps, 'children' | 'className'> {
	readonly label: string;
	readonly description?: ReactNode;
	readonly placeholder?: string;
	readonly isLong?: boolean;
	/** Where the words around it say the same. */
	readonly isLabelHidden?: boolean;
}

/** A line of text, or several. */
export function Field({ label, description, placeholder, isLong = false, isLabelHidden = false, ...field }: FieldProps) {
	return (
		<TextField {...field}>
			<Label className={isLabelHidden ? 'visually-hidden' : 'react-aria-Label'}>{label}</Label>
			{isLong ? <TextArea placeholder={placeholder} onInput={validate} /> : <Input placeholder={placeholder} onInput={validate} />}
			{description && <Text slot="description">{description}</Text>}
			<FieldError />
		</TextField>
	);
}

/**
 * What was wrong with a field is told until it is right, while it is written: else that line would go when the field is left, and
 * the button that is just being pressed would slip away with it.
 */
function validate({ currentTarget: field }: FormEvent<HTMLInputElement | HTMLTextAreaElement>): void {
	if (field.validity.valid) field.dispatchEvent(new Event('change'));
}
