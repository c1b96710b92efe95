/** For searches with too many matches to show them all. */
export function SearchNote({ meta }: { meta: { readonly search_complete?: boolean | undefined } }) {
	return meta.search_complete === false && <p className="note">These are the best matches, not all. Type more to find the others.</p>;
}
