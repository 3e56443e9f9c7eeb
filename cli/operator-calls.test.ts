/// <reference types="vite/types/importMeta.d.ts" />
import { expect, test } from 'vitest';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { everyRole } from '#shared/policies/policy.ts';
import { policyOf } from '#shared/policies/policies.ts';
import { commands } from './octroi.ts';
import { callOf } from './operator.ts';
import { withSubcommands } from './run-program.ts';

/** Handlers, policies and texts of the audit log are complete, or the project doesn't compile; the rest is tested here. */
const modules = import.meta.glob<Record<string, unknown>>('/shared/contract/operator/*.ts', { eager: true });
const isCall = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'auth' in value && value.auth === 'operator' && 'input' in value;
const declared = Object.values(modules).flatMap((exported) =>
  Object.entries(exported).filter(([, each]) => isCall(each)),
);

test('every call of operators that is declared is in the list, under its own name', () => {
  expect(declared.length).toBeGreaterThan(2);
  expect(new Map(declared)).toEqual(new Map(Object.entries(operatorCalls)));
  for (const [name, call] of Object.entries(operatorCalls)) expect(call.name).toBe(name);
});

test('every call of operators has one command, but for those that are about the person who is signed in', () => {
  const named = commands()
    .flatMap(withSubcommands)
    .flatMap((command) => callOf(command) ?? []);
  const ofCommands = Object.values(operatorCalls).filter(({ name }) => !policyOf(name).never?.includes('command'));
  expect(named.toSorted()).toEqual(ofCommands.map(({ name }) => name).toSorted());
});

test('an owner may do everything, and who only reads changes nothing', () => {
  for (const { name } of Object.values(operatorCalls)) {
    const { roles } = policyOf(name);
    expect(roles, name).toContain('owner');
    expect(new Set(roles).size, name).toBe(roles.length);
    expect(everyRole, name).toEqual(expect.arrayContaining([...roles]));
  }
  const actions = Object.values(operatorCalls).filter((call) => 'action' in call);
  for (const { name } of actions) expect(policyOf(name).roles, name).not.toContain('read-only');
});
