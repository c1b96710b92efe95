// Keeps the bookmark of the newest database state that these pages have read (decision 68), so that no replica answers with older data. A
// cookie shares it with other tabs and with the browser's own requests.

const HEADER = 'X-D1-Bookmark';
/** The prefix stops other hosts of the domain from setting the cookie. Browsers accept it only over HTTPS. */
const COOKIE = location.protocol === 'https:' ? '__Host-tracker_bookmark' : 'tracker_bookmark';
/** Replicas lag by seconds, so the bookmark may expire. Without one, the primary answers. */
const SECONDS = 600;

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
