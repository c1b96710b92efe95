// The documentation is complete without this script, which adds the search, the copy buttons, the choice of theme, and the address of
// this service.

(() => {
	const LOCAL = 'http://127.0.0.1:8787';
	const EXCERPT = 140;

	nameThisService();
	offerThemes();
	for (const figure of document.querySelectorAll('figure.code')) addCopyButton(figure);
	showCurrentPage();
	openTarget();
	addEventListener('hashchange', openTarget);
	addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((details) => (details.open = true)));
	startSearch();
	// Elsewhere nobody has a demo to try routes with.
	const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
	if (isLocal && document.querySelector('[data-try]')) void import('./try.js');

	/** Puts the address of the service that serves these pages into the commands. */
	function nameThisService() {
		if (location.origin === LOCAL || !location.protocol.startsWith('http')) return;
		for (const code of document.querySelectorAll('pre code, pre code *')) {
			for (const node of code.childNodes) {
				if (node.nodeType === Node.TEXT_NODE && node.data.includes(LOCAL)) node.data = node.data.replaceAll(LOCAL, location.origin);
			}
		}
	}

	/** Stores the choice, which theme.js applies on every page. The dashboard stores its choice under the same name. */
	function offerThemes() {
		const choice = document.getElementById('theme');
		choice.value = document.documentElement.dataset.theme ?? 'system';
		choice.parentElement.hidden = false;
		choice.addEventListener('change', () => {
			if (choice.value === 'system') delete document.documentElement.dataset.theme;
			else document.documentElement.dataset.theme = choice.value;
			try {
				localStorage.setItem('theme', choice.value);
			} catch {
				// For this page, then.
			}
		});
	}

	/** Scrolls the list of pages to the current page, if the list is longer than the window. */
	function showCurrentPage() {
		const current = document.querySelector('#pages [aria-current]');
		const list = document.getElementById('pages');
		if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
	}

	function addCopyButton(figure) {
		const button = document.createElement('button');
		button.type = 'button';
		button.className = 'copy';
		button.textContent = 'Copy';
		button.addEventListener('click', async () => {
			button.textContent = (await copy(figure.querySelector('code').textContent)) ? 'Copied' : 'Press Ctrl+C';
			setTimeout(() => (button.textContent = 'Copy'), 2000);
		});
		figure.append(button);

		async function copy(text) {
			try {
				await navigator.clipboard.writeText(text);
				return true;
			} catch {
				// Over plain HTTP there is no clipboard: the text is selected, ready to be copied.
				getSelection().selectAllChildren(figure.querySelector('code'));
				return false;
			}
		}
	}

	/** Opens the collapsed part that the address names. */
	function openTarget() {
		const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
		if (target instanceof HTMLDetailsElement) target.open = true;
	}

	function startSearch() {
		const box = document.querySelector('.search');
		const input = document.getElementById('search');
		const results = resultList(input, document.getElementById('results'), document.getElementById('search-status'));
		let loading;
		box.hidden = false;

		function load() {
			loading ??= Promise.all([import('./search.js'), fetch('/docs/search.json').then((answer) => answer.json())]);
			return loading;
		}

		async function show() {
			const query = input.value.trim();
			if (query === '') return results.close();
			try {
				const [{ search }, entries] = await load();
				const found = search(entries, query);
				// Meanwhile more may have been typed: that call shows it.
				if (query === input.value.trim())
					results.open(found, found.length === 0 ? `Nothing was found for “${query}”.` : `${found.length} found`);
			} catch {
				loading = undefined;
				results.open([], 'The search could not be loaded. Type again to retry.');
			}
			return undefined;
		}

		const keys = {
			ArrowDown: () => (results.isOpen() ? results.move(1) : void show()),
			ArrowUp: () => (results.isOpen() ? results.move(-1) : void show()),
			Enter: () => results.follow(),
			Escape: () => (results.isOpen() ? results.close() : input.blur()),
		};
		input.addEventListener('focus', () => void load().catch(() => (loading = undefined)));
		input.addEventListener('input', () => void show());
		input.addEventListener('keydown', (event) => {
			if (!Object.hasOwn(keys, event.key)) return;
			event.preventDefault();
			keys[event.key]();
		});
		document.addEventListener('keydown', (event) => {
			const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable]');
			if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			input.focus();
			input.select();
		});
		document.addEventListener('click', (event) => {
			if (!box.contains(event.target)) results.close();
		});
		box.addEventListener('focusout', (event) => {
			if (event.relatedTarget && !box.contains(event.relatedTarget)) results.close();
		});
	}

	/** Shows the results below the input, which keeps the focus. */
	function resultList(input, list, status) {
		let links = [];
		let chosen = -1;

		function open(found, message) {
			chosen = -1;
			links = found.map(linkTo);
			for (const link of links) link.addEventListener('click', close);
			list.replaceChildren(...(links.length > 0 ? links : [element('p', 'empty', message)]));
			list.hidden = false;
			status.textContent = message;
			input.ariaExpanded = 'true';
			input.removeAttribute('aria-activedescendant');
		}

		function close() {
			list.hidden = true;
			links = [];
			chosen = -1;
			status.textContent = '';
			input.ariaExpanded = 'false';
			input.removeAttribute('aria-activedescendant');
		}

		function move(by) {
			if (links.length === 0) return;
			if (links[chosen]) links[chosen].ariaSelected = 'false';
			chosen = chosen < 0 && by < 0 ? links.length - 1 : (chosen + by + links.length) % links.length;
			links[chosen].ariaSelected = 'true';
			links[chosen].scrollIntoView({ block: 'nearest' });
			input.setAttribute('aria-activedescendant', links[chosen].id);
		}

		return { open, close, move, isOpen: () => !list.hidden, follow: () => links[Math.max(chosen, 0)]?.click() };
	}

	function linkTo({ entry: [address, title, page, text], words }, index) {
		const link = document.createElement('a');
		link.href = address;
		link.id = `result-${index}`;
		link.role = 'option';
		link.tabIndex = -1;
		link.ariaSelected = 'false';
		link.append(element('strong', '', title));
		const place = address.startsWith('/docs/reference/') ? `Reference: ${page}` : page;
		if (place !== title) link.append(element('span', 'page', place));
		link.append(excerpt(text, words));
		return link;
	}

	/** The text around the first word that occurs, with the words marked. */
	function excerpt(text, words) {
		const lower = text.toLowerCase();
		const places = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
		const first = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 40);
		const start = first === 0 ? 0 : text.indexOf(' ', first) + 1;
		const whole = text.slice(start, start + EXCERPT);
		// No half a word at the end.
		const piece = start + EXCERPT < text.length ? whole.replace(/\s\S*$/, '') : whole;
		const span = element('span', 'excerpt', start > 0 ? '… ' : '');
		const pattern = new RegExp(`(${words.map((word) => word.replaceAll(/[^a-z0-9]/gi, '\\$&')).join('|')})`, 'gi');
		piece.split(pattern).forEach((part, index) => span.append(index % 2 === 1 ? element('mark', '', part) : part));
		if (start + EXCERPT < text.length) span.append(' …');
		return span;
	}

	function element(name, className, text) {
		const made = document.createElement(name);
		if (className) made.className = className;
		made.textContent = text;
		return made;
	}
})();
