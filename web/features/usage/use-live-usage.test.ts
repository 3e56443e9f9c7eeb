import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';

vi.stubGlobal('window', new EventTarget());
const { readUsage } = await import('#shared/contract/usage.ts');
const { createQueryClient } = await import('#web/api/query-client.ts');
const { callKey } = await import('#web/api/use-call.ts');
const { showEvents } = await import('./use-live-usage.ts');

const renewingUse = { quotaUsed: 0, quotaLimit: 60, quotaRemaining: 60, renewsAt: null };

function insightsOf(quotaUsed: number) {
  return {
    graph: [],
    inUnits: false,
    canRecharge: false,
    dailyUse: { ...renewingUse, quotaUsed },
    monthlyUse: { ...renewingUse, quotaUsed },
    from: '2026-11-01',
    to: '2026-11-30',
    plan: null,
    monthlyPrice: 0,
    asOf: '2026-11-26T10:00:00.000Z',
  };
}

test('a read that began before a call and ends after its event does not take the call off the page', async () => {
  const queryClient = createQueryClient();
  let counted = 0;
  const ends: (() => void)[] = [];
  const observer = new QueryObserver<{ insights: ReturnType<typeof insightsOf> }>(queryClient, {
    queryKey: callKey(readUsage, { params: { activationId: 'ACT-1' } }),
    queryFn: () => {
      const reply = { insights: insightsOf(counted), billingCycles: [] };
      return new Promise((resolve) => ends.push(() => resolve(reply)));
    },
  });
  const stop = observer.subscribe(() => undefined);
  const shown = () => observer.getCurrentResult().data?.insights.dailyUse.quotaUsed;
  const endRead = async (index: number) => {
    await expect.poll(() => ends.length).toBe(index + 1);
    ends[index]?.();
  };
  const show = showEvents(queryClient, 'ACT-1');
  await endRead(0);
  await expect.poll(shown).toBe(0);

  void observer.refetch();
  await expect.poll(() => ends.length).toBe(2);
  counted = 1;
  show({ id: undefined, event: 'usage', data: JSON.stringify(insightsOf(1)) });
  expect(shown()).toBe(1);
  await endRead(1);
  await endRead(2);
  await expect.poll(() => [shown(), queryClient.isFetching()]).toEqual([1, 0]);
  stop();
  queryClient.clear();
});
