import { escapeHtml } from './html.ts';

// Highlights comments, strings and keywords in the few languages that the guides use. Other languages are left unchanged.

const WORDS =
	'import|from|export|default|const|let|function|return|async|await|new|if|else|for|of|try|catch|throw|true|false|null|undefined|typeof|instanceof';
const SCRIPT = new RegExp(
	`(?<comment>\\/\\/[^\\n]*|\\/\\*[^]*?\\*\\/)|(?<string>'[^'\\n]*'|"[^"\\n]*"|\`[^\`]*\`)|(?<word>\\b(?:${WORDS})\\b)`,
	'g',
);

const LANGUAGES: Readonly<Record<string, RegExp>> = {
	sh: /(?<comment>(?<=^|\s)#[^\n]*)|(?<string>'[^']*'|"[^"]*")|(?<word>^[a-z]+\b|(?<=\| |\$\()[a-z]+\b)/gm,
	json: /(?<string>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<word>\b(?:true|false|null)\b)/g,
	js: SCRIPT,
	ts: SCRIPT,
	html: /(?<comment><!--[^]*?-->)|(?<string>"[^"\n]*")|(?<word><\/?[a-z][a-z0-9-]*|(?<=[a-z"])>)/g,
};

export function highlight(code: string, language: string): string {
	const expression = LANGUAGES[language];
	if (!expression) return escapeHtml(code);
	let html = '';
	let end = 0;
	for (const match of code.matchAll(expression)) {
		const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['word'];
		html += `${escapeHtml(code.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
		end = match.index + match[0].length;
	}
	return html + escapeHtml(code.slice(end));
}

/** A block of code. The page's script adds a copy button. */
export function codeBlock(code: string, language: string, caption = ''): string {
	const head = caption === '' ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`;
	return `<figure class="code">${head}<pre tabindex="0"><code class="${language}">${highlight(code, language)}</code></pre></figure>\n`;
}
