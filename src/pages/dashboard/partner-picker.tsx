import { ChevronDown } from 'lucide-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Key, useState } from 'react';
import { Button, ComboBox, FieldError, Group, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { answerOf, api } from '../api.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { useProgram } from './use-program.ts';

interface PartnerPickerProps {
	readonly label: string;
	/** In a form, its value is the partner's id. */
	readonly name?: string;
	readonly placeholder?: string;
	readonly description?: string;
	readonly isRequired?: boolean;
	/** The initial partner, for example from a filter in the URL. */
	readonly id?: string | undefined;
	readonly onChange?: (id: string | undefined) => void;
}

/** Searches names and email addresses. */
export function PartnerPicker({ id, ...props }: PartnerPickerProps) {
	const { programId } = useProgram();
	const { data: initial } = useQuery({
		queryKey: ['partner', programId, id ?? ''],
		queryFn: async ({ signal }) => {
			const param = { id: programId, partnerId: id ?? '' };
			return (await answerOf(api.v1.programs[':id'].partners[':partnerId'].$get({ param }, { init: { signal } }))).data;
		},
		enabled: id !== undefined,
	});
	// Starts with the name of the partner in the URL.
	return <Picker key={id === undefined ? '' : `${id} ${initial?.name}`} initial={id === undefined ? undefined : initial} {...props} />;
}

interface Found {
	readonly id: number;
	readonly name: string;
	readonly email: string | null;
}

const OFFERED = '20';

type PickerProps = Omit<PartnerPickerProps, 'id'> & { readonly initial: Found | undefined };

function Picker({ initial, label, name, placeholder = 'Name or email address', description, isRequired = false, onChange }: PickerProps) {
	const [selected, setSelected] = useState(initial);
	const [text, setText] = useState(initial?.name ?? '');
	const found = useFound(useDebounced(text === selected?.name ? '' : text.trim()));
	const offered = selected && !found.some((partner) => partner.id === selected.id) ? [selected, ...found] : found;
	const choose = (key: Key | null) => {
		const partner = offered.find((one) => one.id === key);
		setSelected(partner);
		setText(partner?.name ?? '');
		if (partner?.id !== selected?.id) onChange?.(partner && String(partner.id));
	};
	return (
		<ComboBox
			name={name}
			isRequired={isRequired}
			allowsEmptyCollection
			menuTrigger="focus"
			defaultFilter={() => true}
			items={offered}
			value={selected?.id ?? null}
			onChange={choose}
			inputValue={text}
			onInputChange={(typed) => (typed === '' && selected ? choose(null) : setText(typed))}
		>
			<Label>{label}</Label>
			<Group>
				<Input placeholder={placeholder} />
				<Button>
					<ChevronDown size={14} />
				</Button>
			</Group>
			{description !== undefined && <Text slot="description">{description}</Text>}
			<FieldError />
			<Popover>
				<ListBox<Found> renderEmptyState={() => <p className="nothing">No partner has this text in their name or email address.</p>}>
					{(partner) => (
						<ListBoxItem id={partner.id} textValue={partner.name}>
							{partner.name} <span className="cut quiet small">{partner.email}</span>
						</ListBoxItem>
					)}
				</ListBox>
			</Popover>
		</ComboBox>
	);
}

function useFound(search: string): readonly Found[] {
	const { programId } = useProgram();
	const { data = [] } = useQuery({
		queryKey: ['partners', programId, 'found', search],
		queryFn: async ({ signal }) => {
			const query = search === '' ? ({ sort: 'name', limit: OFFERED } as const) : { search, limit: OFFERED };
			return (await answerOf(api.v1.programs[':id'].partners.$get({ param: { id: programId }, query }, { init: { signal } }))).data;
		},
		placeholderData: keepPreviousData,
	});
	return data;
}
