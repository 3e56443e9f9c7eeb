import { type EventSourceMessage, createParser } from 'eventsource-parser';
import { Unreachable } from '#web/api/failures.ts';
import { endSession, readSession } from '#web/session/session.ts';

/**
 * Follows a stream of events with the session token, which the browser's EventSource cannot send. It resolves when the server
 * ends the stream, and throws when the server refuses it or is silent for `silenceMs`; a 401 ends the session. `onOpen` is
 * called when the response begins.
 */
export async function followEvents(
  address: string,
  options: { signal: AbortSignal; silenceMs: number; onOpen: () => void; onEvent: (event: EventSourceMessage) => void },
): Promise<void> {
  const { token } = readSession();
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), options.silenceMs);
  try {
    const response = await fetch(address, {
      headers: { accept: 'text/event-stream', ...(token !== null && { authorization: `Bearer ${token}` }) },
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.any([options.signal, silence.signal]),
    });
    if (response.status === 401 && token !== null) endSession('expired', token);
    if (!response.ok || response.body === null) throw new Unreachable('no-answer');
    options.onOpen();
    const parser = createParser({ onEvent: options.onEvent });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), options.silenceMs);
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
  }
}
