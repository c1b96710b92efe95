import { ChevronDown } from 'lucide-react';
import { Button, ComboBox, FieldError, Group, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';

interface ComboProps {
	readonly label: string;
	readonly name: string;
	readonly description?: string;
	readonly options: readonly { readonly value: string; readonly label: string }[];
	readonly defaultValue?: string;
	readonly isRequired?: boolean;
	readonly isDisabled?: boolean;
	readonly onChange?: (value: string) => void;
}

/** Typing filters the options. Its form value is the selected option's. */
export function Combo({ label, name, description, options, defaultValue, isRequired = false, isDisabled = false, onChange }: ComboProps) {
	return (
		<ComboBox
			name={name}
			formValue="key"
			defaultSelectedKey={defaultValue}
			defaultItems={options.map((option) => ({ ...option, id: option.value }))}
			isRequired={isRequired}
			isDisabled={isDisabled}
			onChange={(key) => typeof key === 'string' && onChange?.(key)}
		>
			<Label>{label}</Label>
			<Group>
				<Input />
				<Button aria-label={`Show options: ${label}`}>
					<ChevronDown size={14} />
				</Button>
			</Group>
			{description && <Text slot="description">{description}</Text>}
			<FieldError />
			<Popover>
				<ListBox>
					{({ id, label: shown }: { id: string; label: string }) => (
						<ListBoxItem id={id} textValue={shown}>
							{shown}
						</ListBoxItem>
					)}
				</ListBox>
			</Popover>
		</ComboBox>
	);
}
