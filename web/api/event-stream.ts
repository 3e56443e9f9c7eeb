import { type StreamEvent, createEventReader } from '#web/api/event-reader.ts';
import { Unreachable } from '#web/api/failures.ts';
import { endSession, readSession } from '#web/session/session.ts';

/**
 * Follows a stream of events with the session token, as EventSource cannot. It resolves when the server ends the stream, and
 * throws when it refuses it or falls silent for `silenceMs`; a 401 ends the session. `onOpen`: the server has begun to answer.
 */
export async function followEvents(
  address: string,
  options: { signal: AbortSignal; silenceMs: number; onOpen: () => void; onEvent: (event: StreamEvent) => void },
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
    const read = createEventReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), options.silenceMs);
      for (const event of read(value)) options.onEvent(event);
    }
  } finally {
    clearTimeout(timer);
  }
}
