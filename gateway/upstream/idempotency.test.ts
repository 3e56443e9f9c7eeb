import { expect, test } from 'vitest';
import { newRequestId } from '#gateway/http/request-id.ts';
import { idempotencyOf } from './idempotency.ts';

function infoOf(head: readonly string[]) {
  return idempotencyOf({ 'idempotency-key': '"a"' }, head);
}

test.each(['true', 'True', 'TRUE', ' true '])('Octroi-Replayed: "%s" marks a replay', (value) => {
  expect(infoOf(['Octroi-Replayed', value])).toMatchObject({ key: 'a', replayed: true });
});

test.each(['false', '0', '1', '', 'no', 'true, true'])('Octroi-Replayed: "%s" does not', (value) => {
  expect(infoOf(['Octroi-Replayed', value])).toMatchObject({ replayed: false });
});

test('a response is a replay if any of several Octroi-Replayed says so', () => {
  for (const values of [
    ['true', 'false'],
    ['false', 'true'],
  ])
    expect(infoOf(values.flatMap((value) => ['Octroi-Replayed', value]))).toMatchObject({ replayed: true });
});

test('Octroi-Replay-Of is taken only if it is a request id', () => {
  const id = newRequestId();
  expect(infoOf(['Octroi-Replay-Of', ` ${id} `])).toMatchObject({ replayOf: id });
  for (const odd of ['', 'order-1', `${id}x`, `${id} ${id}`, 'x'.repeat(9000)])
    expect(infoOf(['Octroi-Replay-Of', odd])).toMatchObject({ replayOf: undefined });
});
