const MISSING: readonly string[] = ['undefined', 'null', 'NaN', '[object Object]'];

/** Whether a customer_key is a mistake that would merge all customers into one. */
export function isMissingValue(customerKey: string): boolean {
	return MISSING.includes(customerKey.trim()) || isErasedName(customerKey);
}

/** Whether it is the pseudonym of an erased id, which identifies nobody. */
export function isErasedName(id: string): boolean {
	return /^erased_[0-9a-f]{24}$/.test(id);
}
