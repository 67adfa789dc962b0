/** Lets the page be painted as it came before the script runs that takes it over. */

const takeOver = () => void import('./main.js');

// Nobody waits for a page in the background, and none is painted there.
if (document.hidden) takeOver();
else requestAnimationFrame(() => setTimeout(takeOver, 0));
