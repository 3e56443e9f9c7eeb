import { expect, test } from 'vitest';
import { createBacklog, type KeptCall } from './backlog.ts';

const kilo = 1024;

function setUp(customers: readonly string[]) {
  const givenUp: number[] = [];
  const calls: KeptCall[] = customers.map((customerId, index) => ({ customerId, giveUp: () => givenUp.push(index) }));
  const backlog = createBacklog({ bytesPerCustomer: 20 * kilo, bytes: 40 * kilo });
  const keep = (index: number, bytes: number): void => {
    const call = calls[index];
    if (call) backlog.keep(call, bytes);
  };
  return { givenUp, keep, drop: (index: number) => calls[index] && backlog.drop(calls[index]) };
}

test('a customer with too much kept for it loses the calls kept longest, and others lose none', () => {
  const { givenUp, keep } = setUp(['a', 'b', 'a', 'a', 'a']);
  keep(0, 10 * kilo);
  keep(1, 10 * kilo);
  keep(2, 10 * kilo);
  expect(givenUp).toEqual([]);
  keep(3, 10 * kilo);
  expect(givenUp).toEqual([0]);
  keep(4, 20 * kilo);
  expect(givenUp).toEqual([0, 2, 3]);
});

test('a full process gives up the calls that were kept longest, whoever made them', () => {
  const { givenUp, keep } = setUp(['a', 'b', 'c', 'd', 'e']);
  for (let index = 0; index < 5; index += 1) keep(index, 10 * kilo);
  expect(givenUp).toEqual([0]);
});

test('dropped calls take no room, and even an empty one takes some', () => {
  const { givenUp, keep, drop } = setUp(Array.from({ length: 20 }, () => 'a'));
  for (let index = 0; index < 10; index += 1) {
    keep(index, 0);
    if (index % 2 === 0) drop(index);
  }
  expect(givenUp).toEqual([]);
  keep(10, 0);
  expect(givenUp).toEqual([1]);
});
