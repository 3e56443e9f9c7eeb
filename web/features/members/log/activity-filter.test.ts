import { expect, test } from 'vitest';
import { loggedCalls } from '#shared/contract/member-log.ts';
import { readActivityFilter } from './activity-filter.ts';

test('each call of the log can be chosen, once', () => {
  expect([...new Set(loggedCalls)]).toEqual(loggedCalls);
  for (const call of loggedCalls)
    expect(readActivityFilter(new URLSearchParams({ what: call }))).toEqual({ action: call });
});

test('days of the address are whole days of India, and other words count for nothing', () => {
  expect(readActivityFilter(new URLSearchParams('who=MEM-1&what=addCycle&from=2026-11-03&to=2026-11-03'))).toEqual({
    memberId: 'MEM-1',
    action: 'addCycle',
    from: '2026-11-02T18:30:00.000Z',
    to: '2026-11-03T18:30:00.000Z',
  });
  expect(readActivityFilter(new URLSearchParams('who=x&what=signOut&from=2026-02-31&to='))).toEqual({});
});
