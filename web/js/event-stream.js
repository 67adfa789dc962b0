/**
 * Reads server-sent events from a reply: `EventSource` cannot POST.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream, without `id` and `retry`, which only a reconnection needs.
 *
 * @typedef {{event: string, data: string}} ServerEvent
 */

/**
 * Takes the text in stretches cut anywhere, and gives the events that each of them completes.
 * @returns {(text: string) => ServerEvent[]}
 */
export function createEventParser() {
  let rest = '';
  let isFirst = true;
  let event = '';
  /** @type {string[]} */
  let data = [];

  /** @param {string} line @returns {ServerEvent | null} */
  function take(line) {
    if (line === '') {
      const whole = data.length > 0 ? { event: event || 'message', data: data.join('\n') } : null;
      event = '';
      data = [];
      return whole;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    return null;
  }

  return (text) => {
    if (isFirst && text) {
      isFirst = false;
      rest = text.replace(/^\ufeff/, '');
    } else rest += text;
    /** @type {ServerEvent[]} */
    const events = [];
    let at = 0;
    for (const end of rest.matchAll(/\r\n|\n|\r/g)) {
      // The other half of a line end may come with the next stretch.
      if (end[0] === '\r' && end.index === rest.length - 1) break;
      const whole = take(rest.slice(at, end.index));
      if (whole) events.push(whole);
      at = end.index + end[0].length;
    }
    rest = rest.slice(at);
    return events;
  };
}

/**
 * The events of a reply's body. Ending the loop early gives the connection up.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<ServerEvent, void, void>}
 */
export async function* eventsOf(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parse = createEventParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      // A last line without its end is no event: the connection was cut.
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
