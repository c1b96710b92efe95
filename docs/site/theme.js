// Before anything is painted: what the reader chose the last time, here or in the dashboard. Else the system's colours hold.
try {
	const theme = localStorage.getItem('theme');
	if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
	// Nothing may be stored here.
}
