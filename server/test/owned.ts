import { z } from 'zod';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import type { Call } from '#shared/contract/call.ts';
import { readAccount } from '#shared/contract/account.ts';
import { inviteMember } from '#shared/contract/members.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { dayOf } from '#shared/domain/day.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { type IdNoun, nounsOf, type OwnedNoun, ownedNouns } from '#shared/contract/ids.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { createSupportThread } from '#shared/contract/support.ts';
import { webhookEventTypes } from '#shared/contract/webhook-events.ts';
import { createWebhook, testWebhook } from '#shared/contract/webhooks.ts';
import { testMembers } from './members.ts';
import { testPasskeys } from './passkeys.ts';
import { sampleLetter, sampleProfile, type TestPortal } from './portal.ts';

/** Ids of things that one customer owns and that belong together. */
export type Owned = Readonly<Record<OwnedNoun, string>>;

/** Ids that do not exist. */
export const absent: Owned = {
  activation: 'ACT-0000000000',
  cycle: 'CYC-000000000000',
  delivery: 'DLV-000000000000',
  document: 'DOC-000000000000',
  file: 'SPF-000000000000',
  invitation: 'INV-000000000000',
  key: 'KEY-000000000000',
  member: 'MEM-000000000000',
  order: 'order_00000000000000',
  passkey: 'PSK-000000000000',
  payment: 'pay_00000000000000',
  thread: 'SUP-000000000000',
  webhook: 'WHK-000000000000',
};

/** One of everything that a customer can own, of one product. */
export async function ownEverything(portal: TestPortal, token: string, product: string): Promise<Owned> {
  const plan = { params: { id: product, planId: 'growth' } };
  const { activationId, billingCycleId: cycle = '' } = await portal.ask(activatePlan, plan, token);
  const { orderId: order } = await portal.ask(createOrder, { params: { id: cycle } }, token);
  const body = await portal.checkOut(order);
  const { paymentId: payment } = body;
  await portal.ask(verifyPayment, { body }, token);
  const { id: key } = await portal.ask(createApiKey, { params: { activationId }, body: { keyName: 'own' } }, token);
  const { documents } = await portal.ask(listDocuments, {}, token);
  const url = `https://1.1.1.1/${product}`;
  const made = await portal.ask(createWebhook, { body: { url, events: [...webhookEventTypes] } }, token);
  const webhook = made.webhook.id;
  const { deliveryId: delivery } = await portal.ask(testWebhook, { params: { webhookId: webhook } }, token);
  const document = documents.find(({ billingCycleId }) => billingCycleId === cycle)?.id ?? '';
  const files = [{ name: 'help.pdf', content: sampleLetter }];
  const asked = { subject: 'Help', message: 'Please help me', activationId, files };
  const { id: thread, messages } = await portal.ask(createSupportThread, { body: asked }, token);
  const file = messages[0]?.files[0]?.id ?? '';
  const mail = `${activationId.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}@gmail.com`;
  const { token: memberToken } = await testMembers(portal).join(token, mail, 'viewer');
  const { memberId: member } = await portal.ask(readAccount, {}, memberToken);
  const invited = { email: `invited-${mail}`, role: 'viewer' } as const;
  const { id: invitation } = await portal.ask(inviteMember, { body: invited }, token);
  const { id: passkey } = await testPasskeys(portal).add(token);
  return {
    invitation,
    member,
    activation: activationId,
    cycle,
    delivery,
    document,
    file,
    key,
    order,
    passkey,
    payment,
    thread,
    webhook,
  };
}

const credential = { id: 'AA', rawId: 'AA', type: 'public-key', clientExtensionResults: {} };
/** Values beside the ids, so that a request is valid. */
const samples: Record<string, Partial<Input>> = {
  addMemberPasskey: {
    body: {
      name: 'Laptop',
      credential: { ...credential, response: { clientDataJSON: 'AA', attestationObject: 'AA' } },
    },
  },
  proveMemberPasskey: {
    body: {
      credential: { ...credential, response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' } },
    },
  },
  switchTwoStep: { body: { isOn: true } },
  searchPages: { query: { q: 'price', language: 'en' } },
  answerAccountantRequest: { query: { signature: 'ab' }, body: { wanted: false } },
  askAccountant: { body: { email: 'ca@example.com' } },
  acceptInvitation: { body: { signature: 'ab' } },
  allowColleagues: { body: { mayAsk: false } },
  approveMember: { body: { role: 'viewer' } },
  changeMember: { body: { role: 'viewer' } },
  limitMember: { body: { dailyLimit: 100 } },
  continueSignIn: { body: { identity: 'x', choice: { kind: 'own' } } },
  declineInvitation: { body: { signature: 'ab' } },
  inviteMember: { body: { email: 'new@example.com', role: 'viewer' } },
  leaveCustomer: { body: { forget: false } },
  offerOwnership: { body: {} },
  readFirst: { body: { identity: 'x' } },
  readInvitation: { query: { signature: 'ab' } },
  addCycle: { body: { startDate: '2099-01-01' } },
  createApiKey: { body: { keyName: 'mine' } },
  createSupportThread: { body: { subject: 'Help', message: 'Please help me' } },
  createWebhook: { body: { url: 'https://1.1.1.1/', events: ['cycle.ended'] } },
  declareTds: {
    body: {
      tan: 'MUMA12345B',
      amount: 100,
      quarter: quarterOf(dayOf(Date.now())),
      name: 'form.pdf',
      certificate: sampleLetter,
    },
  },
  declareTransferTds: { body: { declared: null } },
  declareTaxClaim: { body: { name: 'letter.pdf', letter: sampleLetter } },
  makePayLink: { body: { endsEarlier: false } },
  markSupportRead: { body: { seenUntil: '2026-11-23T10:00:00.000Z' } },
  orderByPayLink: { body: { link: 'x' } },
  readAccountantRequest: { query: { signature: 'ab' } },
  readMonthPack: { params: { month: dayOf(Date.now()).slice(0, 7) } },
  readPayLink: { body: { link: 'x' } },
  readStatement: { query: { from: '2026-04-01', to: '2027-03-31' } },
  readStatementPaper: { params: { from: '2026-04-01', to: '2027-03-31' } },
  readPurchaseRegister: { params: { from: '2026-04-01', to: '2027-03-31' } },
  readUsageReport: { query: { from: '2026-11-01', to: '2026-11-30' } },
  replyToSupport: { body: { message: 'Please help me' } },
  setRecharge: { body: { monthlyCeiling: 500 } },
  skipRecharge: { body: { quotaUnits: 1000 } },
  skipRenewal: { body: { isSkipped: true } },
  rollWebhookSecret: { body: { overlapHours: 24 } },
  rotateApiKey: { body: { overlapHours: 0 } },
  signIn: { body: { googleIdToken: 'x' } },
  transferByPayLink: { body: { link: 'x' } },
  updateApiKey: { body: { expiresAt: null, allowedIps: [], dailyCap: 5 } },
  updateMails: { body: { mailsOff: [] } },
  updateProfile: { body: { ...sampleProfile } },
  updateWebhook: { body: { url: 'https://1.1.1.1/', events: ['cycle.ended'], enabled: true } },
  verifyByPayLink: { body: { link: 'x', signature: 'ab', email: null } },
  verifyPayment: { body: { signature: 'ab' } },
};
const shared: Partial<Record<IdNoun, string>> = {
  accountant: 'ACN-000000000000',
  customer: 'CUS-000000000000',
  offered: 'INV-000000000000',
  product: 'tax-lookup-api',
  plan: 'growth',
};

export interface Input {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown>;
}

const parts = ['params', 'query', 'body'] as const;

/** A field of a call that takes an id. */
interface IdPlace {
  part: (typeof parts)[number];
  field: string;
  noun: IdNoun;
  /** Does it take a list of ids? */
  isList: boolean;
}

const isOwned = (noun: IdNoun): noun is OwnedNoun => ownedNouns.some((owned) => owned === noun);

/** The id fields of a call, once for each combination of what they may name. */
function idPlacesOf(call: Call): IdPlace[][] {
  const fields = parts.flatMap((part) =>
    Object.entries(call[part]?.shape ?? {}).map(([field, schema]) => ({
      part,
      field,
      nouns: nounsOf(schema) ?? [],
      isList: schema instanceof z.ZodArray,
    })),
  );
  return fields
    .filter(({ nouns }) => nouns.length > 0)
    .reduce<IdPlace[][]>(
      (choices, { nouns, ...place }) =>
        choices.flatMap((places) => nouns.map((noun) => [...places, { ...place, noun }])),
      [[]],
    );
}

/** A request in which some ids belong to the caller and some don't. */
export interface OwnershipCase {
  title: string;
  call: Call;
  /** A filter by a foreign id matches nothing, with 200; any other foreign id gets a 404. */
  isFilter: boolean;
  /** Its path has both own and foreign ids, which must belong together. */
  isMixed: boolean;
  /** Only the payment is foreign: its signature is wrong. */
  isUnproven: boolean;
  inputOf: (own: Owned, foreign: Owned) => Input;
}

function inputOf(call: Call, places: readonly IdPlace[], idOf: (place: IdPlace) => string): Input {
  const sample = samples[call.name];
  const input: Input = { params: { ...sample?.params }, query: { ...sample?.query }, body: { ...sample?.body } };
  for (const place of places) {
    if (place.isList) input.body[place.field] = [idOf(place)];
    else input[place.part][place.field] = idOf(place);
  }
  return input;
}

const sharedOr = (ids: Owned) => (place: IdPlace) => ({ ...shared, ...ids })[place.noun] ?? '';

/** A valid request, whose ids belong together. */
export function validInput(call: Call, ids: Owned): Input {
  return inputOf(call, idPlacesOf(call)[0] ?? [], sharedOr(ids));
}

/** Does the call take an id of something that a customer owns? */
export function namesOwned(call: Call): boolean {
  return idPlacesOf(call).some((places) => places.some(({ noun }) => isOwned(noun)));
}

/** For each call, one request for every mixture of own and foreign ids with at least one foreign id. */
export function ownershipCases(calls: readonly Call[]): OwnershipCase[] {
  return calls.flatMap((call) =>
    idPlacesOf(call).flatMap((places) => {
      const owned = places.filter(({ noun }) => isOwned(noun));
      const mixtures = Array.from({ length: 2 ** owned.length - 1 }, (_, index) =>
        owned.filter((__, place) => (((index + 1) >> place) & 1) === 1),
      );
      return mixtures.map((foreignPlaces) => ({
        title: `${call.name} of ${owned.map((place) => `${foreignPlaces.includes(place) ? 'a foreign' : 'an own'} ${place.noun}`).join(' and ')}`,
        call,
        isFilter: foreignPlaces.every(({ part }) => part === 'query'),
        isMixed: foreignPlaces.length < owned.length && owned.every(({ part }) => part === 'params'),
        // A link that was not signed comes first.
        isUnproven: call.auth === 'session' && foreignPlaces.every(({ noun }) => noun === 'payment'),
        inputOf: (own: Owned, foreign: Owned) =>
          inputOf(call, places, (place) => sharedOr(foreignPlaces.includes(place) ? foreign : own)(place)),
      }));
    }),
  );
}

export interface Reply {
  status: number;
  text: string;
}

/** What is wrong with how a call responds to a foreign id, compared with its response to an absent id. */
export function ownershipFault(one: OwnershipCase, foreign: Reply, missing: Reply): string | undefined {
  // When the response was made and the id of the request say nothing.
  const passing = /\d{4}-\d\d-\d\dT[\d:.]+Z|"requestId":"[\w-]+"/g;
  const plain = ({ status, text }: Reply) => `${status} ${text.replaceAll(passing, '')}`;
  if (plain(foreign) !== plain(missing)) return `A foreign id gets ${plain(foreign)}, an absent one ${plain(missing)}.`;
  const wanted = one.isFilter ? 200 : one.isUnproven ? 422 : 404;
  return foreign.status === wanted ? undefined : `A foreign id gets ${plain(foreign)} instead of ${wanted}.`;
}

/** Sends a call as it is, whatever it says about its own types. */
export async function sendCall({ portalUrl }: Pick<TestPortal, 'portalUrl'>, call: Call, input: Input, token: string) {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params[name] ?? ''));
  const response = await fetch(`${portalUrl}/backend${path}?${new URLSearchParams(input.query).toString()}`, {
    method: call.method,
    headers: { authorization: `Bearer ${token}`, ...(call.body ? { 'content-type': 'application/json' } : {}) },
    ...(call.body ? { body: JSON.stringify(input.body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, text, code: /"code":"(\w+)"/.exec(text)?.[1] };
}
