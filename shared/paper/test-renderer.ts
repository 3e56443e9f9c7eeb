import { pino } from 'pino';
import { createRenderer, type Renderer, type RendererBounds } from './renderer.ts';

/** Generous limits, so that a slow machine never hits them; workers run at the test's own priority. */
export const testBounds: RendererBounds = {
  workers: 1,
  timeoutMs: 120_000,
  memoryBytes: 1024 * 1024 * 1024,
  queueSize: 1000,
  queueTimeoutMs: 120_000,
  idleMs: 60_000,
  niceness: 0,
};

let shared: Renderer | undefined;

/** One renderer for all test files of a process; its worker stops when idle, at the latest when the process exits. */
export function testRenderer(): Renderer {
  shared ??= createRenderer(testBounds, pino({ enabled: false }));
  return shared;
}
