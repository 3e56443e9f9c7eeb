import { expect, test } from 'vitest';
import { cycleStatusSchema } from '#shared/contract/cycles.ts';
import { statusLook, statusText } from '#web/ui/status-badge-look.ts';

test('every cycle status has its look', () => {
  expect(Object.fromEntries(cycleStatusSchema.options.map((status) => [status, statusLook(status)]))).toEqual({
    PAYMENT_PENDING: 'amber',
    PENDING: 'amber',
    DUE: 'red',
    PAID: 'green',
    NO_PAYMENT_REQUIRED: 'gray',
    EXPIRED: 'gray',
    DEACTIVATED: 'gray',
    REMOVED: 'gray',
    REFUNDED: 'gray',
  });
});

test('payments, keys and activations have distinct looks too, and an unknown status is grey', () => {
  expect(['captured', 'failed', 'pending', 'Active', 'Revoked', 'ACTIVATED', 'FREE', 'other'].map(statusLook)).toEqual([
    'green',
    'red',
    'amber',
    'green',
    'gray',
    'green',
    'outline',
    'gray',
  ]);
});

test('underscores are shown as spaces', () => {
  expect(statusText('NO_PAYMENT_REQUIRED')).toBe('NO PAYMENT REQUIRED');
});
