/** Translates SQLite's errors into D1's. */
export function asD1<Result>(work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof Error) || !('errcode' in error)) throw error;
		throw new Error(`D1_ERROR: ${error.message}: ${nameOf(Number(error.errcode))}`, { cause: error });
	}
}

const CODES: Readonly<Record<number, string>> = {
	7: 'SQLITE_NOMEM',
	13: 'SQLITE_FULL',
	18: 'SQLITE_TOOBIG',
	19: 'SQLITE_CONSTRAINT',
	20: 'SQLITE_MISMATCH',
	25: 'SQLITE_RANGE',
};

const CONSTRAINTS: Readonly<Record<number, string>> = {
	275: 'CHECK',
	787: 'FOREIGNKEY',
	1299: 'NOTNULL',
	1555: 'PRIMARYKEY',
	1811: 'TRIGGER',
	2067: 'UNIQUE',
	2579: 'ROWID',
	3091: 'DATATYPE',
};

function nameOf(code: number): string {
	const name = CODES[code & 0xff] ?? 'SQLITE_ERROR';
	const extended = CONSTRAINTS[code];
	return extended === undefined ? name : `${name} (extended: ${name}_${extended})`;
}
