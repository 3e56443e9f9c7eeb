import { deleteActivation } from '#shared/contract/activations.ts';
import { revokeApiKey } from '#shared/contract/api-keys.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { gstinCheckCharacter } from '#shared/domain/gstin.ts';
import { activate, type Actor, prepay } from './actor.ts';
import type { Past } from './past.ts';
import type { Roles } from './plan-roles.ts';
import { giveProfile, type PortalCustomer } from './portal-customer.ts';

/** What every story needs. */
export interface Stage {
  past: Past;
  /** The product that most customers use. */
  main: Roles;
  /** Undefined if the catalogue has no other one that can be bought by the month. */
  second: Roles | undefined;
  /** Signs in one of the stand-in's accounts. */
  signIn: (account: string) => Promise<PortalCustomer>;
  /** Counts the calls of an actor's subscriptions up to the day that is being played. */
  count: (actor: Actor, shares: { most: number; onToday?: number }) => Promise<void>;
}

const gstin = (first14: string) => first14 + gstinCheckCharacter(first14);

/** A value that is set by the time the story needs it. */
function later<T>(): { set: (value: T) => T; get: () => T } {
  let kept: T | undefined;
  return {
    set: (value) => (kept = value),
    get: () => {
      if (kept === undefined) throw new Error('the story has not reached this point yet');
      return kept;
    },
  };
}

/** A year: a trial, a small plan, then a larger one prepaid ahead of time; and a second product. */
export function busyBusiness({ past, main, second, signIn, count }: Stage): void {
  const lookup = later<Actor>();
  const invoicing = later<Actor>();
  past.on(360, async () => {
    const asha = await signIn('asha');
    await giveProfile(asha, {
      legalName: 'Kaveri Textiles Private Limited',
      gstin: gstin('29AAKCK4821M1Z'),
      phone: '+919845012345',
    });
    const actor = lookup.set(await activate(asha, main));
    await actor.makeKey('prod1');
    await actor.makeKey('erp');
  });
  past.on(346, async () => void (await lookup.get().add(main.small, past.day(346))));
  prepay(past, lookup.get, main.small, 320, 316);
  for (let start = 286; start > 16; start -= 60) {
    past.on(start, async () => void (await lookup.get().add(main.medium, past.day(start))));
    prepay(past, lookup.get, main.medium, start, start - 30);
  }
  past.on(200, async () => {
    const keyId = await lookup.get().makeKey('old');
    await lookup.get().customer.send(revokeApiKey, { params: { activationId: lookup.get().activationId, keyId } });
    lookup.get().keyIds.pop();
  });
  if (second !== undefined) {
    past.on(100, async () => {
      const actor = invoicing.set(await activate(lookup.get().customer, second, second.small));
      await actor.makeKey('shop');
    });
    for (const start of [70, 40, 10])
      past.on(start, async () => void (await invoicing.get().add(second.small, past.day(start))));
  }
  prepay(past, lookup.get, main.medium, 2, -14);
  past.on(1, async () => void (await lookup.get().add(main.medium, past.day(-44), false)));
  past.on(0, async () => {
    await count(lookup.get(), { most: 0.93, onToday: 0.8272 });
    if (second !== undefined) await count(invoicing.get(), { most: 0.6, onToday: 0.41 });
  });
}

/** Two plans that ended, and a larger one whose payment was declined; its start date has passed. */
export function declinedPayment({ past, main, signIn, count }: Stage): void {
  const lookup = later<Actor>();
  past.on(70, async () => {
    const imran = await signIn('imran');
    await giveProfile(imran, {
      legalName: 'Qureshi Exports',
      gstin: gstin('09AAFFQ2207H1Z'),
      address: '8 Station Road',
      city: 'Moradabad',
      pin: '244001',
      stateCode: '09',
    });
    const actor = lookup.set(await activate(imran, main, main.small));
    await actor.makeKey('port');
  });
  past.on(40, async () => void (await lookup.get().add(main.small, past.day(40))));
  past.on(10, async () => {
    const cycleId = await lookup.get().add(main.medium, past.day(10), false);
    await lookup.get().customer.failToPay(cycleId);
  });
  past.on(0, () => count(lookup.get(), { most: 0.7 }));
}

/** A trial in its first week, at two thirds of today's quota. */
export function trialist({ past, main, signIn, count }: Stage): void {
  const lookup = later<Actor>();
  past.on(4, async () => {
    const meenakshi = await signIn('meenakshi');
    // Without a trial she buys the small plan.
    if (!main.startsFree) await giveProfile(meenakshi);
    const actor = lookup.set(await activate(meenakshi, main));
    await actor.makeKey('test');
  });
  past.on(0, () => count(lookup.get(), { most: 0.5, onToday: 0.65 }));
}

/**
 * A running plan deactivated early, the prepaid one after it refunded, one removed whose late payment was refunded, a
 * deleted activation, and the free plan since.
 */
export function changedMind({ past, main, second, signIn, count }: Stage): void {
  const lookup = later<Actor>();
  const invoicing = later<Actor>();
  past.on(50, async () => {
    const gurpreet = await signIn('gurpreet');
    await giveProfile(gurpreet, { legalName: 'Gill Agro', city: 'Ludhiana', pin: '141001', stateCode: '03' });
    const actor = lookup.set(await activate(gurpreet, main, main.large));
    await actor.makeKey('farm');
  });
  if (second !== undefined) {
    past.on(30, async () => void invoicing.set(await activate(lookup.get().customer, second, second.small)));
    past.on(15, async () => {
      const { customer, activationId } = invoicing.get();
      await customer.send(deleteActivation, { params: { activationId } });
    });
  }
  prepay(past, lookup.get, main.large, 25, 20);
  past.on(12, async () => void (await lookup.get().add(main.large, past.day(-10))));
  past.on(8, async () => {
    await count(lookup.get(), { most: 0.4 });
    for (const { id, status, phase } of await lookup.get().cycles()) {
      if (status === 'PAID' && phase !== 'over') await lookup.get().end(id);
    }
  });
  past.on(5, async () => {
    const actor = lookup.get();
    const cycleId = await actor.add(main.small, past.day(5), false);
    const { orderId } = await actor.customer.send(createOrder, { params: { id: cycleId } });
    await actor.end(cycleId);
    await actor.customer.payOrder(orderId);
  });
  const { free } = main;
  if (free !== undefined) past.on(3, async () => void (await lookup.get().add(free, past.day(3))));
  past.on(0, () => count(lookup.get(), { most: 0.3, onToday: 0.12 }));
}

/** Three months prepaid that have not started, and a UPI payment pending in the app. */
export function newBusiness({ past, main, second, signIn }: Stage): void {
  past.on(1, async () => {
    const rohan = await signIn('rohan');
    await giveProfile(rohan, {
      legalName: 'Mandovi Foods LLP',
      gstin: gstin('30ABKFM7153C1Z'),
      address: '3 Rua de Ourém',
      city: 'Panaji',
      pin: '403001',
      stateCode: '30',
    });
    if (second === undefined) return;
    const invoicing = await activate(rohan, second, second.small, false);
    for (const { id } of await invoicing.cycles()) await invoicing.end(id);
    await invoicing.add(second.long, past.day(-9));
  });
  past.on(0, async () => {
    const lookup = await activate(await signIn('rohan'), main, main.small, false);
    const [cycle] = await lookup.cycles();
    const { orderId } = await lookup.customer.send(createOrder, { params: { id: cycle?.id ?? '' } });
    await lookup.customer.payOrder(orderId, { method: 'upi', outcome: 'pending' });
  });
}

/** A customer who has signed up and done nothing yet. */
export function newcomer({ past, signIn }: Stage): void {
  past.on(0, async () => void (await signIn('lalrinpuii')));
}
