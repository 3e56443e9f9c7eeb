import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { readHealth } from '#server/health.ts';
import { readAsOperator } from '#server/operator-calls.ts';
import { noticeMove } from './documents.ts';
import { newBuyer } from './test-buyer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const numbers = async (buyer: Awaited<ReturnType<typeof newBuyer>>) =>
  (await buyer.documents()).map(({ kind, number }) => `${kind} ${number.slice(10)}`);

test('where PostgreSQL goes on elsewhere, documents go on in the next series at once, and it waits for an operator', async () => {
  const { db } = portal.portal;
  const first = await newBuyer(portal);
  await first.buy(0);
  expect(await numbers(first)).toEqual(['INVOICE 000001']);
  await noticeMove(portal.portal);
  expect((await readHealth(portal.portal)).database).toEqual({ setback: null });

  // As a promotion leaves it: the timeline that the numbers were taken on is not that of the database.
  // The clock of the server before was ahead.
  const ahead = new Date(Date.now() + 600_000);
  await sql`update installation set runs_on = replace(runs_on, '/00000001/', '/00000009/'), moved_at = ${ahead}`.execute(
    db,
  );
  expect((await readHealth(portal.portal)).database).toEqual({ setback: 'MOVED' });
  const sneaking = sql`update document_series set last_number = last_number + 1`.execute(db);
  await expect(sneaking).rejects.toThrow('octroi restore --finish');
  const buyers = [await newBuyer(portal), await newBuyer(portal)];
  await Promise.all(buyers.map((buyer) => buyer.buy(0)));
  const found = await Promise.all(buyers.map(numbers));
  expect(found.flat().toSorted()).toEqual(['INVOICE A00001', 'INVOICE A00002']);
  const health = await readHealth(portal.portal);
  expect([health.status, health.database]).toEqual(['failing', { setback: 'MOVED' }]);
  const { moved_at: movedAt } = await db.selectFrom('installation').select('moved_at').executeTakeFirstOrThrow();
  expect(movedAt?.getTime()).toBe(ahead.getTime() + 1);
  const { kinds } = await readAsOperator(portal.portal, 'owner', 'listWaiting', { kind: 'DATABASE_MOVED' });
  expect(kinds).toMatchObject([{ count: 1, waiting: [{ command: 'restore --finish' }] }]);
});
