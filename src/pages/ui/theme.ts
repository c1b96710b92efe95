export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'theme';

/** Selected in this browser, or else the system's. */
export function selectedTheme(): Theme {
	const stored = localStorage.getItem(NAME);
	return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
	localStorage.setItem(NAME, theme);
	showTheme();
}

export function showTheme(): void {
	const theme = selectedTheme();
	if (theme === 'system') delete document.documentElement.dataset['theme'];
	else document.documentElement.dataset['theme'] = theme;
}
