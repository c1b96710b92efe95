/** For searches with too many matches to show them all. */
export function SearchNote({ meta }: { meta: { readonly search_complete?: boolean | undefined } }) {
	return meta.search_complete === false && <p className="note">Only the best matches are shown. Type more to find others.</p>;
}
