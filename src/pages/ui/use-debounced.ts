import { useEffect, useState } from 'react';

const PAUSE_MS = 200;

/** The value once it has stopped changing, so that not every typed letter sends a request. */
export function useDebounced<Value>(value: Value): Value {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [value]);
	return settled;
}
