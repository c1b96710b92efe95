import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import { useDebounced } from './use-debounced.ts';

interface LiveSearchProps {
	readonly label: string;
	/** The value in the URL. */
	readonly value: string | undefined;
	/** Called at each pause in typing. Replace the history entry, so that Back leaves the search. */
	readonly onSearch: (text: string | undefined) => void;
}

/** Shows results while typing. */
export function LiveSearch({ label, value, onSearch }: LiveSearchProps) {
	const [text, setText] = useState(value ?? '');
	const settled = useDebounced(text);
	// The URL lags behind typing and must not overwrite the field with an older value.
	const sent = useRef<readonly (string | undefined)[]>([value]);
	const send = (typed: string) => {
		const searched = typed.trim() || undefined;
		if (searched === sent.current.at(-1)) return;
		sent.current = [...sent.current, searched];
		onSearch(searched);
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
			<Search size={15} className="lucide search-sign" />
			<Input placeholder={label} />
			<Button aria-label="Clear the search">
				<X size={14} />
			</Button>
		</SearchField>
	);
}
