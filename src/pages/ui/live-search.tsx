import { useEffect, useRef, useState } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import { useDebounced } from './use-debounced.ts';

interface LiveSearchProps {
	readonly label: string;
	/** As the address has it. */
	readonly value: string | undefined;
	/** While one types, at each pause; replace the entry of the history, so that Back leads out of the search. */
	readonly onSearch: (text: string | undefined) => void;
}

/** A search whose results come while one types. */
export function LiveSearch({ label, value, onSearch }: LiveSearchProps) {
	const [text, setText] = useState(value ?? '');
	const settled = useDebounced(text);
	// The address follows what was typed, sometimes after more was typed: then it must not write into the field.
	const sent = useRef<readonly (string | undefined)[]>([value]);
	const send = (typed: string) => {
		const asked = typed.trim() || undefined;
		if (asked === sent.current.at(-1)) return;
		sent.current = [...sent.current, asked];
		onSearch(asked);
	};

	useEffect(() => {
		if (settled === text) send(settled);
	}, [settled]);

	useEffect(() => {
		const isOwn = sent.current.includes(value);
		sent.current = isOwn ? sent.current.slice(sent.current.indexOf(value)) : [value];
		if (!isOwn) setText(value ?? '');
	}, [value]);

	const clear = () => {
		setText('');
		send('');
	};
	return (
		<SearchField aria-label={label} value={text} onChange={setText} onSubmit={send} onClear={clear}>
			<Input placeholder={label} />
			<Button aria-label="Clear the search">✕</Button>
		</SearchField>
	);
}
