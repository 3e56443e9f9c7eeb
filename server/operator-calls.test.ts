import { expect, onTestFinished, test } from 'vitest';
import { actAsOperator, previewAsOperator, readAsOperator } from './operator-calls.ts';
import { startTestPortal } from './test-portal.ts';

test('a call is refused before anything is read: to a role that may not make it, and with input that the contract does not know', async () => {
  const { portal, close } = await startTestPortal({ jobs: false });
  onTestFinished(() => close());
  const cause = { actor: 'asha', reason: 'A test' };
  const input = { cycleId: 'CYC-1', units: 5 };
  for (const ask of [previewAsOperator, actAsOperator]) {
    await expect(ask(portal, 'read-only', 'setQuota', input, cause)).rejects.toThrow(
      'The role read-only may not do this',
    );
    await expect(ask(portal, 'finance', 'setQuota', input, cause)).rejects.toThrow('The role finance may not do this');
    await expect(ask(portal, 'support', 'setQuota', input, cause)).rejects.toThrow('There is no plan CYC-1');
    const faulty = { cycleId: 'CYC-1', units: 0.5 };
    await expect(ask(portal, 'owner', 'setQuota', faulty, cause)).rejects.toThrow(/Invalid input.*\n.*units/);
  }
  expect(await readAsOperator(portal, 'read-only', 'findKeys', { key: 'KEY-1' })).toEqual({ keys: [] });
});
