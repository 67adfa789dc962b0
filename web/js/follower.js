/**
 * Follows the program's jobs: a snapshot, then the stream of changes; while the stream is down, snapshots again.
 *
 * @typedef {import('./contract.js').Job} Job
 * @typedef {Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>} Stream
 */

const POLL_EVERY_MS = 2000;
const OPEN_AGAIN_AFTER_MS = 10_000;
const CLOSED = 2;

/**
 * @param {object} options
 * @param {() => Stream} options.open
 * @param {() => Promise<Job[]>} options.list   newest first
 * @param {(job: Job, news: boolean) => void} options.onJob   a job that changed; no news is what was here from the beginning
 * @param {(jobIds: string[]) => void} options.onGone   jobs that were taken off the list elsewhere
 * @param {(error: unknown) => void} options.onLost   the program does not answer
 * @param {() => void} options.onFound   it answers again
 * @param {(act: () => void, delayMs: number) => unknown} [options.later]
 */
export function createFollower({ open, list, onJob, onGone, onLost, onFound, later = setTimeout }) {
  /** @type {Map<string, Job>} */
  const known = new Map();
  /** @type {Set<string>} */
  const forgotten = new Set();
  /** @type {Stream | null} */
  let stream = null;
  let started = false;
  let polling = false;
  let lost = false;
  let run = 0; // what an earlier run left to happen later must not

  /** @param {Job} job @param {{news?: boolean, late?: boolean}} [how]   late: it may be older than what is known */
  function see(job, { news = true, late = false } = {}) {
    const last = known.get(job.job_id)?.updated_at ?? '';
    if (forgotten.has(job.job_id) || job.updated_at === last || (late && job.updated_at < last)) return;
    known.set(job.job_id, job);
    onJob(job, news);
  }

  /** Takes a snapshot. @param {boolean} [news] */
  async function look(news = true) {
    const mine = run;
    // A job that is sent meanwhile may be missing from the reply.
    const before = [...known.keys()];
    const jobs = await list();
    if (mine !== run) return;
    const here = new Set(jobs.map((job) => job.job_id));
    for (const job of [...jobs].reverse()) see(job, { news, late: true });
    const gone = before.filter((jobId) => !here.has(jobId) && known.delete(jobId));
    if (gone.length > 0) onGone(gone);
  }

  function found() {
    if (!lost) return;
    lost = false;
    onFound();
  }

  /** @param {boolean} [news] */
  async function tryLook(news) {
    try {
      await look(news);
      if (started) found();
    } catch (error) {
      if (!started || lost) return;
      lost = true;
      onLost(error);
    }
  }

  /** @param {number} mine */
  async function poll(mine) {
    if (mine !== run || !polling) return;
    await tryLook();
    later(() => void poll(mine), POLL_EVERY_MS);
  }

  function connect() {
    const mine = run;
    const source = open();
    stream = source;
    source.addEventListener('job', (event) => {
      if (mine === run) see(JSON.parse(/** @type {MessageEvent} */ (event).data));
    });
    source.addEventListener('open', () => {
      if (mine !== run) return;
      if (polling) void tryLook();
      polling = false;
    });
    source.addEventListener('error', () => {
      if (mine !== run) return;
      if (!polling) {
        polling = true;
        later(() => void poll(mine), POLL_EVERY_MS);
      }
      // A stream that was cut is opened again by the browser; one that was refused is not.
      if (source.readyState !== CLOSED) return;
      source.close();
      later(() => mine === run && connect(), OPEN_AGAIN_AFTER_MS);
    });
  }

  return {
    async start() {
      if (started) return;
      started = true;
      const mine = run;
      await tryLook(known.size > 0);
      if (mine === run) connect();
    },
    /** Gives the connection back. */
    stop() {
      started = false;
      polling = false;
      run += 1;
      stream?.close();
      stream = null;
    },
    /** Looks once, for what another page took off the list. */
    async look() {
      if (started) await tryLook();
    },
    see,
    /** @param {string} jobId */
    latest: (jobId) => known.get(jobId),
    /** Hears nothing of it any more. @param {string} jobId */
    forget(jobId) {
      known.delete(jobId);
      forgotten.add(jobId);
    },
  };
}
