import { ChevronDown, Search as SearchIcon, X } from 'lucide-react';
import type { ReactNode } from 'react';
import {
	Button,
	Checkbox,
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
} from 'react-aria-components';

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

export function Choice<Value extends string>({ label, name, description, options, value, onChange }: ChoiceProps<Value>) {
	return (
		<Select
			className="react-aria-Select field"
			name={name}
			value={value}
			onChange={(key) => onChange(selectedValue(options, key) ?? value)}
		>
			<Label>{label}</Label>
			<Opener />
			{description && <Text slot="description">{description}</Text>}
			<Options options={options} />
		</Select>
	);
}

interface FilterProps<Value extends string> {
	readonly label: string;
	/** The label for no choice. Undefined if there is always one. */
	readonly all?: string;
	readonly options: readonly Option<Value>[];
	readonly value: Value | undefined;
	readonly onChange: (value: Value | undefined) => void;
}

/** One of several, or all. */
export function Filter<Value extends string>({ label, all, options, value, onChange }: FilterProps<Value>) {
	return (
		<Select aria-label={label} value={value ?? ''} onChange={(key) => onChange(selectedValue(options, key))}>
			<Opener />
			<Options options={all === undefined ? options : [{ value: '', label: all }, ...options]} />
		</Select>
	);
}

function Opener() {
	return (
		<Button>
			<SelectValue className="cut" />
			<ChevronDown size={14} />
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

function selectedValue<Value extends string>(options: readonly Option<Value>[], key: unknown): Value | undefined {
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

/** A checkbox for several items may be partly selected. */
export function CheckboxField({ children, ...checkbox }: OnOffProps & { readonly isIndeterminate?: boolean }) {
	return (
		<Checkbox {...checkbox}>
			<TickBox />
			<span>{children}</span>
		</Checkbox>
	);
}

/** Takes effect immediately. */
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
	/** Called on submit or clear, not while typing, because each search queries the service. */
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
			<SearchIcon size={15} className="lucide search-sign" />
			<Input placeholder={label} />
			<Button aria-label="Clear the search">
				<X size={14} />
			</Button>
		</SearchField>
	);
}
