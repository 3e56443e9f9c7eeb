import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
let session: string;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  session = await operators.signedIn('owner@kaveri.example', 'owner');
});
afterAll(() => world.close());

const hostile: readonly unknown[] = [
  '',
  'NaN',
  '2026-02-30',
  '\u0000',
  "' or 1=1 --",
  'x'.repeat(5000),
  -1,
  0,
  0.005,
  99.999,
  2_147_483_648,
  1e15,
  1e308,
  true,
  [],
  ['\u0000'],
  {},
];

interface Field {
  type?: string;
  enum?: unknown[];
  items?: Field;
}
/** A value that its schema takes, mostly. */
function plain({ type, enum: words, items }: Field): unknown {
  if (words !== undefined) return words[0];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  return type === 'array' ? [plain(items ?? {})] : 'CUST-1';
}

test('no value of any field of a read or a preview is a failure of ours: it is answered or refused', async () => {
  const failed: string[] = [];
  let sent = 0;
  for (const call of Object.values(operatorCalls)) {
    const path = 'action' in call ? `previews/${call.name}` : `calls/${call.name}`;
    const { properties = {}, required = [] }: { properties?: Record<string, Field>; required?: string[] } = Object(
      z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }),
    );
    const input = Object.fromEntries(required.map((name) => [name, plain(properties[name] ?? {})]));
    for (const name of Object.keys(properties))
      for (const value of hostile) {
        const { status } = await operators.post(path, session, { input: { ...input, [name]: value } });
        sent += 1;
        if (status >= 500) failed.push(`${path} ${name} ${JSON.stringify(value).slice(0, 40)}: ${status}`);
      }
  }
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(1000);
});
