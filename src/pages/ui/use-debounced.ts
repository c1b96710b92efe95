import { useEffect, useState } from 'react';

const PAUSE_MS = 200;

/** The value once it stops changing, so that not every keystroke sends a request. */
export function useDebounced<Value>(value: Value): Value {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [value]);
	return settled;
}
