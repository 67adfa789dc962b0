/** Lets the page be painted as it came before the script runs that takes it over. */

// Asked for at once, and not before the page is painted: to compile them would hold that up.
function takeOver() {
  const modules = /** @type {HTMLTemplateElement | null} */ (document.querySelector('#modules'));
  if (modules) document.head.append(modules.content);
  void import('./main.js');
}

// Nobody waits for a page in the background, and none is painted there.
if (document.hidden) takeOver();
else requestAnimationFrame(() => setTimeout(takeOver, 0));
