import { expect, test } from 'vitest';
import { leaveOutSchemaWriters } from './leave-out-schema-writers.ts';
import { buildPage } from './test-build.ts';

const zod = import.meta.resolve('zod').replace('file://', '');
const page = {
  'index.html': '<script type="module" src="./main.ts"></script>',
  'main.ts': `import { z } from '${zod}';
globalThis.schemaSays = [z.object({ a: z.email().max(9) }).safeParse({ a: 'a@b.in' }).success, z.int().safeParse('1').success];`,
};

/** The code of the page. */
async function codeWith(plugins: Parameters<typeof buildPage>[1]): Promise<string> {
  const output = await buildPage(page, plugins);
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
}

test('schemas still validate without the JSON schema writers, which would add kilobytes', async () => {
  const slim = await codeWith([leaveOutSchemaWriters()]);
  const whole = await codeWith([]);
  expect(whole.length - slim.length).toBeGreaterThan(10_000);
  const says: unknown = await import(`data:text/javascript,${encodeURIComponent(slim)};export const says=schemaSays`);
  expect(says).toMatchObject({ says: [true, false] });
});
