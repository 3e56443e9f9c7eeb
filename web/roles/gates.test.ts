import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memberRoles } from '#shared/contract/member-roles.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { memberRights, refusedTo, rolesOf } from '#shared/policies/members/rights.ts';

const web = join(import.meta.dirname, '..');
const sources = ['features', 'shell', 'session', 'forms', 'roles']
  .flatMap((folder) =>
    readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(join(web, path), 'utf8') }));
const all = sources.map(({ text }) => text).join('\n');

/** Calls that come of themselves after another, which has the button and the same roles. */
const after: Readonly<Record<string, string>> = { verifyPayment: 'createOrder', createOrderOfPeriods: 'createOrder' };

/** What a page makes when something is pressed. */
const pressed = (name: string) =>
  new RegExp(`\\b(?:useAction|useContractForm|useDownload|call)\\(\\s*${name}\\b`).test(all);
/** A button, a link or a page that knows the call it leads to. */
const gated = (name: string) =>
  all.includes(`call="${name}"`) || all.includes(`call: '${name}'`) || all.includes(`('${name}')`);

test('each call that not every role may make, and that something on a page makes, has a button that asks whether the role may', () => {
  const limited = calls.filter(({ auth, name }) => auth === 'session' && rolesOf(name).length < memberRoles.length);
  const made = limited.map(({ name }) => name).filter(pressed);
  expect(made.length).toBeGreaterThan(40);
  expect(made.filter((name) => !gated(after[name] ?? name))).toEqual([]);
  for (const [name, before] of Object.entries(after)) expect(rolesOf(name)).toEqual(rolesOf(before));
});

test('each button that starts something names its call, or is one of a visitor or of everybody', () => {
  const opened = /<(?:ActionButton|RemoveQuestion)\b(?:[^>]|=>)*?>/g;
  const forAll = new Set([
    'features/accountants/answer-page.tsx',
    'features/members/first-choice.tsx',
    'features/members/invitation-page.tsx',
    // Tries a call of an API.
    'features/reference/try-call.tsx',
    // Its props have the call.
    'features/cycles/complete-payment.tsx',
  ]);
  const nameless = sources.flatMap(({ path, text }) =>
    [...text.matchAll(opened)]
      .filter(([tag]) => !/\bcall=/.test(tag) && !forAll.has(path))
      .map(([tag]) => `${path}: ${tag}`),
  );
  expect(nameless).toEqual([]);
});

test('a role is told which calls it may not make', () => {
  expect(refusedTo('owner')).toEqual([]);
  for (const role of memberRoles)
    expect(Object.keys(memberRights).filter((name) => !refusedTo(role).includes(name))).toEqual(
      Object.keys(memberRights).filter((name) => rolesOf(name).includes(role)),
    );
});
