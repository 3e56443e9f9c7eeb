import { expect, onTestFinished, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { type ActionName, operatorCalls, type OperatorInput } from '#shared/contract/operator/calls.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { newBuyer } from './features/documents/test-buyer.ts';
import { bookRefundsOf } from './features/payments/money-back.ts';
import { actAsOperator, previewAsOperator, readAsOperator } from './operator-calls.ts';
import { OperatorRefusal } from './refusals/operator-refusal.ts';
import { sampleLetter, startTestPortal, type TestPortal } from './test/portal.ts';

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
    const faulty = { cycleId: 'CYC-1', units: 0.5 };
    await expect(ask(portal, 'owner', 'setQuota', faulty, cause)).rejects.toThrow(/Invalid input.*\n.*units/);
    await expect(ask(portal, 'owner', 'setQuota', faulty, cause)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(ask(portal, 'finance', 'setQuota', input, cause)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(ask(portal, 'support', 'setQuota', input, cause)).rejects.toMatchObject({
      message: expect.stringContaining('There is no plan CYC-1'),
      code: 'not_found',
    });
  }
  expect(await readAsOperator(portal, 'read-only', 'findKeys', { key: 'KEY-1' })).toEqual({ keys: [] });
});

/** A customer with a plan and a claim of TDS that is all that is left of its payment, a blocked one, a revoked key and a locked month. */
async function refusingWorld(test: TestPortal, done: typeof actAsOperator) {
  const { portal } = test;
  const cause = { actor: 'asha', reason: 'A test' };
  const customerOf = async (token: string) => (await test.ask(readAccount, {}, token)).user.id;
  const gstin = '29ZZZCA0001A1Z0';
  const buyer = await newBuyer(test, { gstin });
  const cycleId = await buyer.buy(0);
  const body = { tan: 'MUMA12345B', amount: 127.03, quarter: quarterOf(buyer.today()), name: 'form.pdf' };
  const declaration = { params: { billingCycleId: cycleId }, body: { ...body, certificate: sampleLetter } };
  const { claim } = await test.ask(declareTds, declaration, buyer.token);
  const { provider_payment_id: paymentId } = await portal.db
    .selectFrom('cycle_payments')
    .select('provider_payment_id')
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  await test.standin('POST', `/standin/payments/${paymentId}/refund`, { amount: 149_900 - 12_703 });
  await bookRefundsOf(portal, paymentId);
  const refund = await portal.db.selectFrom('refunds').select('id').executeTakeFirstOrThrow();
  const { activationId } = buyer;
  const newKey = { params: { activationId }, body: { keyName: 'old', isTest: false } };
  const { id: key } = await test.ask(createApiKey, newKey, buyer.token);
  const blocked = await customerOf(await test.newCustomer());
  await done(portal, 'owner', 'revokeKey', { key }, cause);
  await done(portal, 'owner', 'blockCustomer', { customerId: blocked }, cause);
  const signedOut = await customerOf(await test.newCustomer());
  await done(portal, 'owner', 'endSessions', { customerId: signedOut }, cause);
  await done(portal, 'owner', 'lockMonth', { month: '2020-01', despite: ['SETTLEMENT_CHECK', 'BOOKS_CHECK'] }, cause);
  const owner = 'owner@kaveri.example';
  await done(portal, 'owner', 'addOperator', { email: owner, role: 'owner' }, cause);
  await done(portal, 'owner', 'addOperatorDomain', { domain: 'kaveri.example', role: 'support' }, cause);
  const number = (await buyer.documents())[0]?.number ?? '';
  const customerId = await customerOf(buyer.token);
  const claimId = claim?.id ?? '';
  return {
    owner,
    customerId,
    gstin,
    cycleId,
    paymentId,
    number,
    claimId,
    refundId: refund.id,
    key,
    blocked,
    signedOut,
    buyer,
  };
}

const wordsOf = (step: () => Promise<unknown>) =>
  step().then(
    () => 'not refused',
    (error: unknown) =>
      error instanceof OperatorRefusal ? `${error.code}: ${error.message}` : `a fault: ${String(error)}`,
  );

test('every action that is refused is refused by its preview in the same words and with the same code', async () => {
  const world = await startTestPortal({ jobs: false });
  onTestFinished(() => world.close());
  const { portal } = world;
  await world.behave({ webhooks: { enabled: false } });
  const found = await refusingWorld(world, actAsOperator);
  const { owner, customerId, gstin, cycleId, number, claimId, refundId, paymentId, key, blocked, signedOut, buyer } =
    found;
  const refused = <Name extends ActionName>(name: Name, input: OperatorInput<Name>, reason = 'A test') => ({
    name,
    steps: [previewAsOperator, actAsOperator].map(
      (ask) => () => ask(portal, 'owner', name, input, { actor: 'asha', reason }),
    ),
  });
  const grant = { customerId, productId: 'invoicing-system', planId: 'growth', days: 7 };
  const transfer = { utr: 'KKBK0001234567', on: buyer.today() };
  const ofProof = { kind: 'FIRA', reference: 'A1', amount: '17.90', currency: 'USD' } as const;
  const proof = { ...ofProof, paymentId, receivedOn: buyer.today() };
  const despite = { endPlans: false, withinYear: false };
  const cases = [
    refused('blockCustomer', { customerId: blocked }),
    refused('blockCustomer', { customerId: 'CUS-nobody' }),
    refused('writeOffBill', { cycleId: 'CYC-nobody' }),
    refused('setCreditTerms', { customerId: 'CUS-nobody', limit: 5000, days: 30, stopAfterDays: 15 }),
    refused('unblockCustomer', { customerId }),
    refused('endSessions', { customerId: 'CUS-nobody' }),
    refused('endSessions', { customerId: signedOut }),
    refused('forgetMember', { memberId: 'MEM-none' }),
    refused('allowNewAccount', { customerId: 'CUS-nobody' }),
    refused('allowNewAccount', { customerId: signedOut }),
    refused('transferOwnership', { customerId: 'CUS-nobody', email: 'a@b.example' }),
    refused('seeAsCustomer', { customerId: 'CUS-nobody' }),
    refused('changeGstin', { customerId, gstin }),
    refused('changeGstin', { customerId, gstin: 'nonsense' }),
    refused('changeDetails', { customerId }),
    refused('changeDetails', { customerId, pin: '000001' }),
    refused('correctInvoice', { number }),
    refused('cancelEInvoice', { number, because: 'other' }),
    refused('retryEInvoice', { number }),
    refused('printDocument', { number: 'OCT/none' }),
    refused('checkSez', { customerId: 'CUS-nobody' }),
    refused('checkSez', { customerId }),
    refused('resendMail', { mailId: 'MSG-none' }),
    refused('eraseCustomer', { customerId: 'CUS-nobody', ...despite }),
    refused('revokeKey', { key }),
    refused('grantPlan', grant),
    refused('grantPlan', { ...grant, customerId: blocked }),
    refused('grantPlan', { ...grant, days: 367 }),
    refused('withdrawPlan', { cycleId }),
    refused('endMandate', { mandateId: 'MAN-none' }),
    refused('endPayLinks', { activationId: 'ACT-none' }),
    refused('extendCycle', { cycleId: 'CYC-none', days: 3 }),
    refused('extendCycle', { cycleId, days: 367 }),
    refused('setQuota', { cycleId, units: -1 }),
    refused('overrideCallsPerSecond', { activationId: 'ACT-none', callsPerSecond: 5 }),
    refused('overrideCallsPerSecond', { activationId: buyer.activationId, callsPerSecond: null }),
    refused('refundPayment', { of: cycleId, amount: 5000 }),
    refused('refundPayment', { of: cycleId }, 'x'.repeat(201)),
    refused('recheckPayment', { of: 'CYC-none' }),
    refused('recordTransfer', { refundId, ...transfer }),
    refused('turnRefund', { refundId }),
    refused('settleTransfer', { paymentId }),
    refused('settleTransfer', { paymentId: 'pay_none' }),
    refused('refundTransfer', { paymentId }),
    refused('recordReceivedTransfer', { of: 'CYC-none', amount: 1499, ...transfer }),
    refused('addOperator', { email: owner, role: 'support' }),
    refused('changeOperator', { email: owner, role: 'owner' }),
    refused('changeOperator', { email: owner, role: 'support' }),
    refused('removeOperator', { email: owner }),
    refused('removeOperator', { email: 'nobody@kaveri.example' }),
    refused('createToken', { name: 'CRM', scopes: ['findCustomers'], days: 30 }),
    refused('revokeToken', { tokenId: 'OTK-none' }),
    refused('approve', { approvalId: 'APR-none' }),
    refused('decline', { approvalId: 'APR-none' }),
    refused('addOperatorDomain', { domain: 'kaveri.example', role: 'support' }),
    refused('removeOperatorDomain', { domain: 'other.example' }),
    refused('applyCatalog', { comparedWith: 99, whole: false, files: [] }),
    refused('applyCatalog', { comparedWith: null, whole: true, files: [{ path: 'a.yaml', content: btoa('id: [') }] }),
    refused('revertCatalog', { version: 99, comparedWith: 1 }),
    refused('sendDocuments', { documents: [number] }),
    refused('recordRemittance', proof),
    refused('recordRemittance', { ...proof, paymentId: 'pay_none' }),
    refused('createEndpoint', { url: 'https://10.0.0.1/hook', events: ['customer.created'] }),
    refused('changeEndpoint', { endpointId: 'WHK-none', enabled: true }),
    refused('rollEndpointSecret', { endpointId: 'WHK-none', overlapHours: 0 }),
    refused('removeEndpoint', { endpointId: 'WHK-none' }),
    refused('testEndpoint', { endpointId: 'WHK-none' }),
    refused('resendDelivery', { deliveryId: 'DLV-none' }),
    refused('replyToThread', { threadId: 'SPT-none', message: 'Hello' }),
    refused('closeThread', { threadId: 'SPT-none' }),
    refused('addNote', { of: 'SUP-none', note: 'Hello' }),
    refused('addNote', { of: 'CUS-nobody', note: 'Hello' }),
    refused('removeNote', { noteId: 'SPN-none' }),
    refused('createCannedAnswer', { title: 'Hello', answer: 'Dear {{nmae}}' }),
    refused('changeCannedAnswer', { answerId: 'CAN-none', title: 'Hello', answer: 'Dear {{name}}' }),
    refused('removeCannedAnswer', { answerId: 'CAN-none' }),
    refused('assignThread', { threadId: 'SPT-none', email: owner }),
    refused('acceptTds', { claimId }),
    refused('acceptTds', { claimId: 'TDS-none' }),
    refused('refuseTds', { claimId }, 'x'.repeat(501)),
    refused('refuseTds', { claimId: 'TDS-none' }),
    refused('lockMonth', { month: '2020-01' }),
    refused('lockMonth', { month: '2020-02' }, 'x'),
    refused('lockMonth', { month: '2020-02' }),
    refused('unlockMonth', { month: '2020-02' }),
    refused('unlockMonth', { month: '2020-01' }, 'x'.repeat(501)),
  ];
  const actions = Object.values(operatorCalls).flatMap((call) => ('action' in call ? [call.name] : []));
  expect(new Set(cases.map(({ name }) => name))).toEqual(new Set(actions));

  const recorded = () => portal.db.selectFrom('operator_actions').select('position').execute();
  const before = await recorded();
  for (const { name, steps } of cases) {
    const words = [];
    for (const step of steps) words.push(await wordsOf(step));
    expect(words[0], name).not.toMatch(/^(not refused|a fault)/);
    expect(words[0], name).toBe(words[1]);
  }
  expect(await recorded()).toEqual(before);
});
