import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { readMonthPack } from '#shared/contract/month-pack.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { monthOf } from '#shared/domain/month.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { packLimits } from './month-pack.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

test('a customer’s ZIPs are made two at a time, eight wait, more are refused, and other customers’ calls go on', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const month = monthOf(buyer.today());
  const { downloadUrl } = await portal.ask(readMonthPack, { params: { month } }, buyer.token);
  const { ofOwner, waiting } = packLimits;
  const statuses: number[] = [];
  const { downloads } = await portal.owner.db.transaction().execute(async (tx) => {
    await sql`lock table document_files in access exclusive mode`.execute(tx);
    const downloads = Array.from({ length: ofOwner + waiting + 5 }, async () => {
      const response = await fetch(downloadUrl);
      statuses.push(response.status);
      await response.arrayBuffer();
    });
    await expect.poll(() => statuses, { timeout: 60_000 }).toEqual(Array<number>(5).fill(429));
    expect(await countWaiting(tx)).toBe(ofOwner);
    expect((await portal.send(readAccount, {}, await portal.newCustomer())).status).toBe(200);
    return { downloads };
  });
  await Promise.all(downloads);
  expect(statuses.filter((status) => status === 200)).toHaveLength(ofOwner + waiting);
});
