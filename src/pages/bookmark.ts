// How much of the database these pages have seen (decision 68). A replica that answers the next request has seen at least as much.
// A cookie takes it along, so that requests of other tabs and requests that the browser starts by itself have it too.

const HEADER = 'X-D1-Bookmark';
/** The prefix keeps other hosts of the same domain from setting it; a browser allows it only with HTTPS. */
const COOKIE = location.protocol === 'https:' ? '__Host-tracker_bookmark' : 'tracker_bookmark';
/** Replicas lag by seconds. Without a bookmark the primary answers. */
const SECONDS = 600;

/** Fetches, and keeps the bookmark of the answer if it is the newest. */
export const fetchWithBookmark: typeof fetch = async (input, init) => {
	const response = await fetch(input, init);
	const answered = response.headers.get(HEADER);
	// An answer may arrive behind one that was sent later. Bookmarks sort as texts.
	if (answered !== null && answered > (keptBookmark() ?? '')) {
		const secure = location.protocol === 'https:' ? '; Secure' : '';
		document.cookie = `${COOKIE}=${answered}; Path=/; Max-Age=${SECONDS}; SameSite=Lax${secure}`;
	}
	return response;
};

function keptBookmark(): string | undefined {
	const pair = document.cookie.split('; ').find((text) => text.startsWith(`${COOKIE}=`));
	return pair?.slice(COOKIE.length + 1);
}
