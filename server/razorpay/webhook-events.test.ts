import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { webhookEvents } from './webhook-events.ts';

test('docs/operating/going-live.md lists the events that Razorpay’s webhook must send, and no others', () => {
  const docs = readFileSync(projectFolder('docs', 'operating', 'going-live.md'), 'utf8');
  const table = docs.slice(docs.indexOf('| for |'), docs.indexOf('\n\n', docs.indexOf('| for |')));
  expect(table.split('\n').slice(2)).toEqual(
    webhookEvents.map(([what, events]) => `| ${what} | ${events.join(', ')} |`),
  );
});
