import { useEffect, useState } from 'react';

const SECOND_MS = 1_000;

/** Updated each second. */
export function useNow(): number {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
		return () => clearInterval(timer);
	}, []);
	return now;
}

/** "23 h 04 min 09 s", or "6 d 3 h" if it is days away. */
export function timeUntil(iso: string, now: number): string {
	const seconds = Math.max(0, Math.floor((Date.parse(iso) - now) / SECOND_MS));
	const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
	if (days >= 2) return `${days} d ${hours} h`;
	return `${days * 24 + hours} h ${twoDigits(minutes)} min ${twoDigits(seconds % 60)} s`;
}

function twoDigits(number: number): string {
	return String(number).padStart(2, '0');
}
