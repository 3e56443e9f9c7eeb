import type { EventSourceMessage } from 'eventsource-parser';
import { beforeAll, expect, test, vi } from 'vitest';

vi.stubGlobal('window', new EventTarget());
const { followEvents } = await import('#web/api/event-stream.ts');
const { beginSession, readSession } = await import('#web/session/session.ts');

let respond: () => Response;

beforeAll(() => {
  vi.stubGlobal('fetch', async () => respond());
  return () => vi.unstubAllGlobals();
});

async function eventsOf(pieces: readonly string[]): Promise<EventSourceMessage[]> {
  const events: EventSourceMessage[] = [];
  const body = new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  respond = () => new Response(body);
  const options = { signal: new AbortController().signal, silenceMs: 5_000, onOpen: () => undefined };
  await followEvents('http://portal.example/stream', { ...options, onEvent: (event) => events.push(event) });
  return events;
}

test('an event that arrives in pieces is one event, and comments are ignored', async () => {
  expect(await eventsOf(['event: usa', 'ge\ndata: {"a"', ':1}\n', '\n: still here\n\ndata: unfinished'])).toMatchObject(
    [{ event: 'usage', data: '{"a":1}' }],
  );
});

test('a refused stream throws, and a 401 ends the session', async () => {
  beginSession('session-token');
  respond = () => new Response(null, { status: 401 });
  const options = {
    signal: new AbortController().signal,
    silenceMs: 5_000,
    onOpen: vi.fn<() => void>(),
    onEvent: () => undefined,
  };
  await expect(followEvents('http://portal.example/stream', options)).rejects.toThrow(
    'The portal could not be reached',
  );
  expect(readSession()).toEqual({ token: null, endedBy: 'expired' });
  expect(options.onOpen).not.toHaveBeenCalled();
});
