import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventReader } from '#web/api/event-reader.ts';

const text = 'event: usage\ndata: {"a":1}\n\n: still here\n\nid: 7\r\ndata: one\r\ndata: two\r\n\r\ndata: unfinished';

function eventsOf(parts: readonly string[]): unknown[] {
  const read = createEventReader();
  return parts.flatMap((part) => read(part));
}

test('an event has its name and its data, comments are no events, and an unfinished one waits', () => {
  expect(eventsOf([text])).toEqual([
    { name: 'usage', data: '{"a":1}' },
    { name: 'message', data: 'one\ntwo' },
  ]);
});

test('wherever the network cuts the text, the events are the same', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const parts = places.slice(1).map((end, index) => text.slice(places[index], end));
      expect(eventsOf(parts)).toEqual(eventsOf([text]));
    }),
  );
});
