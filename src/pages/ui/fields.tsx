import type { FormEvent, ReactNode } from 'react';
import {
	Button,
	Checkbox,
	FieldError,
	Form,
	Input,
	Label,
	ListBox,
	ListBoxItem,
	Popover,
	SearchField,
	Select,
	SelectValue,
	Switch,
	Text,
	TextArea,
	TextField,
	type TextFieldProps,
} from 'react-aria-components';
import { titleOf } from './use-action.ts';

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

interface Option<Value extends string> {
	readonly value: Value;
	readonly label: string;
}

interface ChoiceProps<Value extends string> {
	readonly label: string;
	readonly name?: string;
	readonly description?: string;
	readonly options: readonly Option<Value>[];
	readonly value: Value;
	readonly onChange: (value: Value) => void;
}

/** One of several, in a form. */
export function Choice<Value extends string>({ label, name, description, options, value, onChange }: ChoiceProps<Value>) {
	return (
		<Select className="react-aria-Select field" name={name} value={value} onChange={(key) => onChange(chosen(options, key) ?? value)}>
			<Label>{label}</Label>
			<Opener />
			{description && <Text slot="description">{description}</Text>}
			<Options options={options} />
		</Select>
	);
}

interface FilterProps<Value extends string> {
	readonly label: string;
	/** What stands for no choice. */
	readonly all: string;
	readonly options: readonly Option<Value>[];
	readonly value: Value | undefined;
	readonly onChange: (value: Value | undefined) => void;
}

/** One of several, or all: a filter above a list. */
export function Filter<Value extends string>({ label, all, options, value, onChange }: FilterProps<Value>) {
	return (
		<Select aria-label={label} value={value ?? ''} onChange={(key) => onChange(chosen(options, key))}>
			<Opener />
			<Options options={[{ value: '', label: all }, ...options]} />
		</Select>
	);
}

function Opener() {
	return (
		<Button>
			<SelectValue className="cut" />
			<span aria-hidden="true">▾</span>
		</Button>
	);
}

function Options({ options }: { options: readonly Option<string>[] }) {
	return (
		<Popover>
			<ListBox items={options.map((option) => ({ ...option, id: option.value }))}>
				{({ id, label }) => (
					<ListBoxItem id={id} textValue={label}>
						{label}
					</ListBoxItem>
				)}
			</ListBox>
		</Popover>
	);
}

function chosen<Value extends string>(options: readonly Option<Value>[], key: unknown): Value | undefined {
	return options.find(({ value }) => value === key)?.value;
}

interface OnOffProps {
	readonly name?: string;
	readonly isSelected?: boolean;
	readonly defaultSelected?: boolean;
	readonly isDisabled?: boolean;
	readonly onChange?: (isSelected: boolean) => void;
	readonly children: ReactNode;
}

/** Something agreed to, or picked, with the rest of a form. */
export function Tick({ children, ...checkbox }: OnOffProps) {
	return (
		<Checkbox {...checkbox}>
			<TickBox />
			<span>{children}</span>
		</Checkbox>
	);
}

/** Takes effect at once. */
export function Toggle({ children, ...toggle }: OnOffProps) {
	return (
		<Switch {...toggle}>
			<span className="track" aria-hidden="true" />
			<span>{children}</span>
		</Switch>
	);
}

export function TickBox() {
	return <span className="tick" aria-hidden="true" />;
}

interface SearchProps {
	readonly label: string;
	readonly value: string | undefined;
	/** When it was sent off, or emptied: each search asks the service. */
	readonly onSearch: (text: string | undefined) => void;
}

export function Search({ label, value, onSearch }: SearchProps) {
	return (
		<SearchField
			aria-label={label}
			defaultValue={value ?? ''}
			key={value}
			onSubmit={(text) => onSearch(text.trim() || undefined)}
			onClear={() => onSearch(undefined)}
		>
			<Input placeholder={label} />
			<Button aria-label="Clear the search">✕</Button>
		</SearchField>
	);
}

interface ActionFormProps {
	readonly onSend: (fields: FormData) => void;
	readonly action: string;
	readonly isDangerous?: boolean;
	/** Until what must be given is there. */
	readonly isDisabled?: boolean;
	readonly isPending: boolean;
	/** What the service refused it for. */
	readonly error: Error | null;
	readonly onCancel?: () => void;
	readonly children: ReactNode;
}

/** Fields that are sent together, once; what the service refuses is told beside them. */
export function ActionForm({
	onSend,
	action,
	isDangerous = false,
	isDisabled = false,
	isPending,
	error,
	onCancel,
	children,
}: ActionFormProps) {
	return (
		<Form
			onSubmit={(event) => {
				event.preventDefault();
				if (!isPending) onSend(new FormData(event.currentTarget));
			}}
		>
			{children}
			{error && (
				<p className="note bad" role="alert">
					<strong>{titleOf(error)}.</strong> {error.message}
				</p>
			)}
			<div className="actions">
				{onCancel && <Button onPress={onCancel}>Cancel</Button>}
				<Button
					type="submit"
					className={`react-aria-Button primary ${isDangerous ? 'danger' : ''}`}
					isDisabled={isDisabled}
					isPending={isPending}
				>
					{action}
				</Button>
			</div>
		</Form>
	);
}

/** A text field of a form: undefined where nothing was written. */
export function textOf(fields: FormData, name: string): string | undefined {
	return rawTextOf(fields, name).trim() || undefined;
}

/** To the last blank, as a password is. */
export function rawTextOf(fields: FormData, name: string): string {
	const value = fields.get(name);
	return typeof value === 'string' ? value : '';
}
