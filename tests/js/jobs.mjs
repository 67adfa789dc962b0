/** Jobs and a program for the tests: what the page is told, and what it asks. */

let ticks = 0;

/** A job as the program shows it; each one is newer than the last. */
export const job = (job_id, state, more = {}) => ({
  job_id,
  name: `${job_id}.pdf`,
  size_bytes: 10,
  state,
  updated_at: `2024-01-01T00:00:00.${String((ticks += 1)).padStart(6, '0')}+00:00`,
  done: 0,
  total: 0,
  outcome: null,
  document_id: null,
  error: null,
  can_retry: false,
  elapsed_ms: 1000,
  ...more,
});

export const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Stands in for EventSource. */
export class FakeStream {
  readyState = 1;
  closed = false;
  #listeners = new Map();

  addEventListener(type, act) {
    this.#listeners.set(type, act);
  }

  close() {
    this.closed = true;
    this.readyState = 2;
  }

  opens() {
    this.#listeners.get('open')();
  }

  tells(told) {
    this.#listeners.get('job')({ data: JSON.stringify(told) });
  }

  breaks(readyState = 0) {
    this.readyState = readyState;
    this.#listeners.get('error')();
  }
}
