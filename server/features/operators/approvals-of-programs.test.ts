import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTeam, type Team, waitingId } from './test-team.ts';

let team: Team;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team.world.close());

test('what a program asked for is not done once its token is revoked', async () => {
  const made = await team.operators.act(team.session.asha, 'createToken', {
    name: 'CRM',
    scopes: ['refundPayment'],
    days: 1,
  });
  const { token, id: tokenId } = Object(made.body);
  const approvalId = waitingId(await team.refund(String(token), await team.newPayment(), 1100));
  await team.operators.act(team.session.asha, 'revokeToken', { tokenId });
  expect(await team.decide(team.session.meena, 'approve', approvalId)).toMatchObject({
    status: 409,
    body: { message: 'The token that asked for this is revoked. Decline it.' },
  });
});

test('what a program asked for is recorded with its name, however long the names are', async () => {
  const domain = `${'x'.repeat(60)}.example`;
  const [first, second] = [`${'a'.repeat(26)}@${domain}`, `${'b'.repeat(26)}@${domain}`];
  const sessions = [
    await team.operators.signedIn(first, 'owner'),
    await team.operators.signedIn(second, 'owner'),
  ] as const;
  await Promise.all([first, second].map((email) => team.operators.prove(email)));
  const name = 'n'.repeat(60);
  const made = await team.operators.act(sessions[0], 'createToken', { name, scopes: ['refundPayment'], days: 1 });
  const approvalId = waitingId(await team.refund(String(Object(made.body).token), await team.newPayment(), 1100));
  expect(await team.decide(sessions[1], 'approve', approvalId)).toMatchObject({ status: 200, body: { state: 'DONE' } });
  const { actions } = Object((await team.operators.read(team.session.meena, 'listActions', { limit: 2 })).body);
  const actor = `${first} (${name}), approved by ${second}`;
  expect(actions).toMatchObject([{ actor: second }, { action: 'payments.refund', actor }]);
});

test('a key with which a refund was asked for asks for it once, and never for another one', async () => {
  const paymentId = await team.newPayment();
  expect(await team.refund(team.session.asha, paymentId, 600)).toMatchObject({ status: 200 });
  const ask = (amount: number) => team.refund(team.session.asha, paymentId, amount, { key: 'once' });
  await team.decide(team.session.meena, 'decline', waitingId(await ask(500)));
  // As on the next day.
  await team.world.owner.pool.query(`delete from operator_requests`);
  expect(await ask(500)).toMatchObject({ status: 409, body: { code: 'already_done' } });
  expect(await ask(400)).toMatchObject({ status: 409, body: { code: 'key_reused' } });
  expect(await team.refunds(paymentId)).toEqual([60_000]);
});

test('the same key asks for one approval, and nobody approves without a passkey or the right to do it', async () => {
  const paymentId = await team.newPayment();
  const ask = () => team.refund(team.session.asha, paymentId, 1200, { key: 'ask-1' });
  const approvalId = waitingId(await ask());
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'already_done' } });
  const again = String(Object((await team.operators.signIn('meena@kaveri.example')).body).accessToken);
  expect(await team.decide(again, 'approve', approvalId)).toMatchObject({ body: { code: 'passkey_required' } });
  const reader = await team.operators.signedIn('reader@kaveri.example', 'read-only');
  expect(await team.decide(reader, 'approve', approvalId)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
