import type { FormEvent, ReactNode } from 'react';
import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from 'react-aria-components';

interface FieldProps extends Omit<TextFieldProps, 'children' | 'className'> {
	readonly label: string;
	readonly description?: ReactNode;
	readonly placeholder?: string;
	readonly isLong?: boolean;
	/** For labels that repeat the surrounding text. */
	readonly isLabelHidden?: boolean;
}

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

/** Clears an error as soon as it is fixed. If it only vanished on blur, the button being pressed would move away. */
function validate({ currentTarget: field }: FormEvent<HTMLInputElement | HTMLTextAreaElement>): void {
	if (field.validity.valid) field.dispatchEvent(new Event('change'));
}
