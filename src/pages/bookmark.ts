// Remembers the newest state of the database that these pages have read (decision 68), so that no replica answers with an older one. A
// cookie holds it, for other tabs and for requests that the browser starts itself.

const HEADER = 'X-D1-Bookmark';
/** The prefix keeps other hosts of the domain from setting it; browsers require HTTPS for it. */
const COOKIE = location.protocol === 'https:' ? '__Host-tracker_bookmark' : 'tracker_bookmark';
/** Replicas lag by seconds. Without a bookmark the primary answers. */
const SECONDS = 600;

/** Fetches, and keeps the answer's bookmark if it is the newest. */
export const fetchWithBookmark: typeof fetch = async (input, init) => {
	const response = await fetch(input, init);
	const answered = response.headers.get(HEADER);
	// Answers may arrive out of order. Bookmarks sort as strings.
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
