import type { createElement, ReactNode, useEffect } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';

/** What the build has in the place of React. Its own types would be those of all pages. */
interface InBrowsers {
  createElement: typeof createElement;
  useEffect: typeof useEffect;
  render: (what: ReactNode, page: object) => void;
}
const react = z.custom<InBrowsers>().parse(await import(new URL('preact.js', import.meta.url).href));

/** Shows nothing, so that it needs no page. */
function Does({ effect }: { effect: () => void }) {
  react.useEffect(effect, [effect]);
  return null;
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

test('an effect that throws where nothing catches it is reported, and keeps no other effect from running, then or later', async () => {
  const faults: unknown[] = [];
  const hear = (fault: unknown): void => void faults.push(fault);
  process.on('uncaughtException', hear);
  onTestFinished(() => void process.off('uncaughtException', hear));
  const page = { childNodes: [] };
  const [beside, later] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const show = async (...effects: (() => void)[]): Promise<void> => {
    react.render(
      effects.map((effect, key) => react.createElement(Does, { key, effect })),
      page,
    );
    await nextTask();
  };
  const fault = new Error('A fault');
  await show(() => {
    throw fault;
  }, beside);
  expect([faults, beside.mock.calls.length]).toEqual([[fault], 1]);
  await show(beside, later);
  expect([beside.mock.calls.length, later.mock.calls.length]).toEqual([2, 1]);
});
