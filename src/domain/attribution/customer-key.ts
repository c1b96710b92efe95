/** What languages make of a missing value, or of an object, where a text is expected. */
const MISSING: readonly string[] = ['undefined', 'null', 'NaN', '[object Object]'];

/** Whether a customer_key is no id but a mistake, which would merge all customers into one. */
export function isMissingValue(customerKey: string): boolean {
	return MISSING.includes(customerKey.trim()) || isErasedName(customerKey);
}

/** Whether it is what stands for an id that was erased: nobody is found by that. */
export function isErasedName(id: string): boolean {
	return /^erased_[0-9a-f]{24}$/.test(id);
}
