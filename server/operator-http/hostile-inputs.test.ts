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
  '0000-01',
  '0099-00',
  '1969-12',
  '2199-12',
  '9999-12',
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

/** Reads a file to its end; undefined when it broke off. */
async function fileStatus(name: string, input: Record<string, unknown>): Promise<number | undefined> {
  const query = new URLSearchParams(
    Object.entries(input).map(([field, value]): [string, string] => [field, String(value)]),
  );
  const response = await fetch(`${world.portalUrl}/backend/operator/files/${name}?${query.toString()}`, {
    headers: { authorization: `Bearer ${session}` },
  });
  return response.arrayBuffer().then(
    () => response.status,
    () => undefined,
  );
}

test('no value of any field of a read, a preview or a file is a failure of ours: it is answered or refused', async () => {
  const failed: string[] = [];
  let sent = 0;
  for (const call of Object.values(operatorCalls)) {
    const path = 'action' in call ? `previews/${call.name}` : `calls/${call.name}`;
    const { properties = {}, required = [] }: { properties?: Record<string, Field>; required?: string[] } = Object(
      z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }),
    );
    const input = Object.fromEntries(required.map((name) => [name, plain(properties[name] ?? {})]));
    for (const name of Object.keys(properties)) {
      const note = (value: unknown, status: number | undefined) => {
        sent += 1;
        if (status === undefined || status >= 500)
          failed.push(`${path} ${name} ${JSON.stringify(value).slice(0, 40)}: ${status}`);
      };
      const send = async (value: unknown) =>
        note(value, (await operators.post(path, session, { input: { ...input, [name]: value } })).status);
      await Promise.all(hostile.map(send));
      // A person reads one file at a time.
      if ('file' in call)
        for (const value of hostile.filter((each) => typeof each === 'string'))
          note(value, await fileStatus(call.name, { ...input, [name]: value }));
    }
  }
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(1000);
});
