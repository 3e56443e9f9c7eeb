import { expect, test } from 'vitest';
import { gatewayAnswers } from '#domain/metering.ts';
import * as refusals from './refusals.ts';

/** Everything that the gateway can refuse with; where a refusal is made of something, any text will do. */
const all: refusals.Refusal[] = [
  ...Object.values(refusals).filter((each) => typeof each === 'object'),
  refusals.keyExpired('2026-11-21T00:00:00.000Z'),
  refusals.addressNotAllowed('203.0.113.7'),
  refusals.headerRepeated('Host'),
  refusals.methodUnsupported('TRACE'),
  refusals.noSandbox('Tax Lookup API'),
  refusals.otherApi('Tax Lookup API'),
  refusals.bodyTooLarge(1000),
  refusals.quotaExceeded(['daily'], 'All calls are used.', 60),
  refusals.paymentRequired('No plan is running.'),
];

test('every refusal stands in the table of metering with its status, and nothing else does', () => {
  const told = Object.fromEntries(all.map(({ code, status }) => [code, status]));
  expect(told).toEqual(gatewayAnswers);
});
