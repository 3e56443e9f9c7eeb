import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ env: { STANDINS: 'yes' } });
});
afterAll(() => portal.close());

test('while stand-ins are in use the outbox shows every mail with its document', async () => {
  const buyer = await newBuyer(portal, { legalName: '<script>alert(1)</script>' });
  await buyer.buy(0);
  const outbox = `${portal.portalUrl}/backend/outbox`;
  const page = await (await fetch(outbox)).text();
  expect(page).toContain('Payment received: ₹1,499');
  const id = /outbox\/(MSG-[^/"]+)/.exec(page)?.[1] ?? '';
  const mail = await fetch(`${outbox}/${id}`);
  expect(mail.headers.get('content-type')).toContain('text/html');
  const html = await mail.text();
  expect(html).toContain('Hello &lt;script&gt;');
  expect(html).not.toContain('<script>');
  const paper = await fetch(`${outbox}/${id}/paper`);
  expect(paper.headers.get('content-type')).toBe('application/pdf');
  const list: unknown = await (await fetch(outbox, { headers: { accept: 'application/json' } })).json();
  expect(list).toMatchObject([{ to: 'p1@example.com', document: expect.stringMatching(/^OCT\//), sentAt: null }]);
});
