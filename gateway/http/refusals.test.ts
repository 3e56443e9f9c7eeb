import { expect, test } from 'vitest';
import { gatewayAnswers } from '#shared/domain/metering.ts';
import * as refusals from './refusals.ts';

/** Every refusal of the gateway; the arguments of those with parameters do not matter. */
const all: refusals.Refusal[] = [
  ...Object.values(refusals).filter((each) => typeof each === 'object'),
  refusals.keyExpired('2026-11-21T00:00:00.000Z'),
  refusals.addressNotAllowed('203.0.113.7', '198.51.100.0/24'),
  refusals.headerRepeated('Host'),
  refusals.methodNotAllowed('POST', ['GET']),
  refusals.methodUnsupported('TRACE'),
  refusals.noSandbox('Tax Lookup API'),
  refusals.notInPlan('Starter', 'https://portal.example/activations/ACT-1/billing'),
  refusals.otherApi('Tax Lookup API', 'invoicing-system'),
  refusals.bodyTooLarge(1000),
  refusals.requestHeadTooLarge(1000),
  refusals.targetTooLong(1000),
  refusals.quotaExceeded(['daily'], 'All calls are used.', 60),
  refusals.paymentRequired('No plan is running.', { rule: 'none' }),
];

test('the metering table lists every refusal with its status, and nothing else', () => {
  const statuses = Object.fromEntries(all.map(({ code, status }) => [code, status]));
  expect(statuses).toEqual(gatewayAnswers);
});
