import { useEffect, useState } from 'react';

const PAUSE_MS = 200;

/** The value as it was when it last stood still, so that each letter that is typed asks nobody. */
export function useDebounced<Value>(value: Value): Value {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [value]);
	return settled;
}
