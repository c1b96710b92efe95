// Runs before anything is painted: applies the theme that the reader last chose, here or in the dashboard. Otherwise the system's theme applies.
try {
	const theme = localStorage.getItem('theme');
	if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
	// Nothing may be stored here.
}
