/** Work in many small pieces, done in stretches short enough that typing never waits for it. */

const STRETCH_MS = 8;

/**
 * Takes pieces, the latest list only, and does them one after the other.
 * @param {(act: () => void) => void} [soon]   when the page has time again
 * @param {() => number} [now]
 */
export function createPacer(soon = (act) => void setTimeout(act, 0), now = () => performance.now()) {
  /** @type {(() => void)[]} */
  let pieces = [];
  let isWaiting = false;

  function work() {
    isWaiting = false;
    const end = now() + STRETCH_MS;
    try {
      do pieces.shift()?.();
      while (pieces.length > 0 && now() < end);
    } finally {
      wait(); // one that fails keeps none of the others back
    }
  }

  function wait() {
    if (isWaiting || pieces.length === 0) return;
    isWaiting = true;
    soon(work);
  }

  return {
    /** @param {(() => void)[]} wanted   instead of what is not done yet */
    does(wanted) {
      pieces = wanted;
      wait();
    },
  };
}
