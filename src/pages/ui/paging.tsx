import { Button } from 'react-aria-components';
import { count } from '../format.ts';
import { Filter } from './fields.tsx';
import { choosePageSize, LEAST_SIZE, PAGE_SIZES, USUAL_SIZE, usePageSize } from './page-size.ts';

interface PageMeta {
	readonly next_cursor: string | null;
	/** Undefined if the route returns only the next cursor. `cameFrom` then records the way back. */
	readonly previous_cursor?: string | null;
	readonly total?: number;
	readonly total_is_more?: boolean;
	readonly offset?: number | null;
}

interface PagingProps {
	/** Undefined on the first page. */
	readonly cursor: string | undefined;
	/** Undefined while loading. */
	readonly meta: PageMeta | undefined;
	/** How many rows the page shows. */
	readonly shown: number;
	/** The most rows of a page. */
	readonly limit?: number;
	/** Whether the reader chooses the most rows of a page, and the list asks for `usePageLimit()`. */
	readonly isSizable?: boolean;
	readonly onChange: (cursor: string | undefined) => void;
}

/** The page from which each page was reached; null for the first page. */
const cameFrom = new Map<string, string | null>();
const addressOf = (cursor: string) => `${location.pathname} ${cursor}`;

/** Every page of a list has its own URL. */
export function Paging({ cursor, meta, shown, limit: fixed = USUAL_SIZE, isSizable = false, onChange }: PagingProps) {
	const chosen = usePageSize();
	if (!meta) return null;
	const limit = isSizable ? chosen : fixed;
	const { next_cursor: next, previous_cursor: sent, offset = null } = meta;
	const isFirst = cursor === undefined;
	const remembered = isFirst ? undefined : cameFrom.get(addressOf(cursor));
	const previous = sent === undefined ? (remembered ?? null) : sent;
	const hasPages = !isFirst || next !== null;
	if (!hasPages && shown === 0) return null;
	// The first page is always full, while a page reached by a previous cursor may not be.
	const isFirstNext = (offset !== null && offset <= limit) || (sent === undefined && remembered === null);
	const goOn = (to: string) => {
		cameFrom.set(addressOf(to), cursor ?? null);
		onChange(to);
	};
	return (
		<nav className="paging" aria-label="Pages">
			<p role="status" className="quiet small">
				{placeOf(meta, shown)}
				{shown < limit && next !== null && ' Few rows match, so the search stopped here. Select Next to continue.'}
			</p>
			<div className="actions">
				{isSizable && (hasPages || shown > LEAST_SIZE) && <SizeChoice onChange={() => onChange(undefined)} />}
				{hasPages && (
					<>
						{!isFirst && !isFirstNext && <Button onPress={() => onChange(undefined)}>First page</Button>}
						<Button
							isDisabled={isFirst || (!isFirstNext && previous === null)}
							onPress={() => onChange(isFirstNext ? undefined : (previous ?? undefined))}
						>
							Previous
						</Button>
						<Button isDisabled={next === null} onPress={() => next !== null && goOn(next)}>
							Next
						</Button>
					</>
				)}
			</div>
		</nav>
	);
}

/** The list then starts at its first page. */
function SizeChoice({ onChange }: { onChange: () => void }) {
	return (
		<Filter
			label="Rows per page"
			options={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows` }))}
			value={String(usePageSize())}
			onChange={(size) => {
				choosePageSize(Number(size));
				onChange();
			}}
		/>
	);
}

/** "51–100 of 734", "51–100 of more than 1,000". */
function placeOf({ total, total_is_more: isMore = false, offset = null }: PageMeta, shown: number): string {
	if (total === undefined || shown === 0) return '';
	if (offset === null) return `${count(shown)} ${shown === 1 ? 'row' : 'rows'} after the first ${count(total)}`;
	const last = offset + shown;
	return `${count(offset + 1)}–${count(last)} of ${isMore ? 'more than ' : ''}${count(Math.max(total, last))}`;
}
